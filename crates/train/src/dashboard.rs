//! The terminal dashboard of a run.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::symbols::Marker;
use ratatui::text::Line;
use ratatui::widgets::{Axis, Block, Chart, Dataset, Gauge, GraphType, Paragraph};

use crate::progress::{Board, TrainProgress};
use crate::report::rated;

/// The interval between redraws.
const TICK: Duration = Duration::from_millis(250);
/// The number of log lines that are kept.
const LINES: usize = 100;

/// Shows a run until `is_over`; `q` and Ctrl-C stop the run.
///
/// # Errors
///
/// When the terminal cannot be used.
pub fn show(progress: &TrainProgress, is_over: &AtomicBool) -> io::Result<()> {
    let mut terminal = ratatui::try_init()?;
    let shown = watch(&mut terminal, progress, is_over);
    ratatui::restore();
    shown
}

fn watch(
    terminal: &mut ratatui::DefaultTerminal,
    progress: &TrainProgress,
    is_over: &AtomicBool,
) -> io::Result<()> {
    let mut lines: Vec<String> = Vec::new();
    let mut pace = Pace::default();
    while !is_over.load(Ordering::Relaxed) {
        lines.extend(progress.take_lines());
        let surplus = lines.len().saturating_sub(LINES);
        lines.drain(..surplus);
        pace.look(progress);
        let board = progress.board().clone();
        let games = progress.counters.games.load(Ordering::Relaxed);
        let stops = progress.is_stopped();
        terminal.draw(|frame| draw(frame, &board, &lines, &pace, games, stops))?;
        if event::poll(TICK)?
            && let Event::Key(key) = event::read()?
        {
            let is_ctrl_c =
                key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
            let asks = is_ctrl_c || key.code == KeyCode::Char('q');
            if key.kind == KeyEventKind::Press && asks {
                progress.stop();
            }
        }
    }
    Ok(())
}

/// The current throughput, over the last seconds.
#[derive(Default)]
struct Pace {
    since: Option<(Instant, u64, u64)>,
    games: f64,
    evaluations: f64,
}

impl Pace {
    fn look(&mut self, progress: &TrainProgress) {
        let games = progress.counters.games.load(Ordering::Relaxed);
        let evaluations = progress.counters.evaluations.load(Ordering::Relaxed);
        let Some((then, games_then, evaluations_then)) = self.since else {
            self.since = Some((Instant::now(), games, evaluations));
            return;
        };
        let seconds = then.elapsed().as_secs_f64();
        if seconds >= 2.0 {
            self.games = (games - games_then) as f64 / seconds;
            self.evaluations = (evaluations - evaluations_then) as f64 / seconds;
            self.since = Some((Instant::now(), games, evaluations));
        }
    }
}

fn draw(
    frame: &mut Frame<'_>,
    board: &Board,
    lines: &[String],
    pace: &Pace,
    games: u64,
    stops: bool,
) {
    let rows = Layout::vertical([
        Constraint::Length(3),
        Constraint::Length(3),
        Constraint::Min(8),
        Constraint::Percentage(35),
    ]);
    let [head, gauges, charts, foot] = rows.areas(frame.area());
    let phase = if stops { "stopping: what is finished is kept" } else { &board.phase };
    let said = format!(
        " {phase} · {:.1} games/s · {:.0} evals/s · q ends it",
        pace.games, pace.evaluations
    );
    let title = format!(" {} ", board.title);
    frame.render_widget(Paragraph::new(said).block(Block::bordered().title(title.bold())), head);
    draw_gauges(frame, gauges, board, games);
    let columns = [Constraint::Percentage(50), Constraint::Percentage(50)];
    let [left, right] = Layout::horizontal(columns).areas(charts);
    let over = |of: &dyn Fn(&crate::IterationReport) -> f32| -> Vec<(f64, f64)> {
        let reports = board.history.iter().filter(|report| report.learning.steps > 0);
        reports.map(|report| (report.iteration as f64, f64::from(of(report)))).collect()
    };
    let policy = over(&|report| report.learning.policy_loss);
    let value = over(&|report| report.learning.value_loss);
    draw_chart(frame, left, " loss ", &[("policy", &policy), ("value", &value)]);
    let elo: Vec<(f64, f64)> = rated(board).map(|(at, elo, _)| (at, elo)).collect();
    draw_chart(frame, right, " Elo ", &[("network", &elo)]);
    let [left, right] = Layout::horizontal(columns).areas(foot);
    let shown = usize::from(left.height.saturating_sub(2));
    let last = lines.iter().skip(lines.len().saturating_sub(shown));
    let text: Vec<Line<'_>> = last.map(|line| Line::raw(line.as_str())).collect();
    frame.render_widget(Paragraph::new(text).block(Block::bordered().title(" log ")), left);
    let game = Paragraph::new(board.sample_game.as_str())
        .wrap(ratatui::widgets::Wrap { trim: false })
        .block(Block::bordered().title(" a game "));
    frame.render_widget(game, right);
}

fn draw_gauges(frame: &mut Frame<'_>, area: Rect, board: &Board, games: u64) {
    let columns = [Constraint::Percentage(50), Constraint::Percentage(50)];
    let [left, right] = Layout::horizontal(columns).areas(area);
    let done = games.saturating_sub(board.games_before).min(board.games);
    let gauge = |title: &'static str, part: u64, whole: u64| {
        let ratio = if whole == 0 { 0.0 } else { (part as f64 / whole as f64).min(1.0) };
        Gauge::default()
            .block(Block::bordered().title(title))
            .gauge_style(Style::new().fg(Color::Cyan))
            .ratio(ratio)
            .label(format!("{part} of {whole}"))
    };
    frame.render_widget(gauge(" games of the iteration ", done, board.games), left);
    frame.render_widget(gauge(" decisions in the buffer ", board.buffer.0, board.buffer.1), right);
}

fn draw_chart(frame: &mut Frame<'_>, area: Rect, title: &str, curves: &[(&str, &[(f64, f64)])]) {
    let points = || curves.iter().flat_map(|(_, points)| points.iter());
    let bounds = |values: &mut dyn Iterator<Item = f64>| {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        if low < high { [low, high] } else { [low.min(0.0), high.max(1.0)] }
    };
    let across = bounds(&mut points().map(|point| point.0));
    let along = bounds(&mut points().map(|point| point.1));
    let colours = [Color::Cyan, Color::Yellow];
    let datasets = curves.iter().zip(colours).map(|((name, points), colour)| {
        Dataset::default()
            .name(*name)
            .marker(Marker::Braille)
            .graph_type(GraphType::Line)
            .style(Style::new().fg(colour))
            .data(points)
    });
    let labels = |[low, high]: [f64; 2]| [number(low), number(high)];
    let chart = Chart::new(datasets.collect())
        .block(Block::bordered().title(title.to_owned()))
        .x_axis(Axis::default().bounds(across).labels(labels(across)))
        .y_axis(Axis::default().bounds(along).labels(labels(along)));
    frame.render_widget(chart, area);
}

fn number(value: f64) -> String {
    let is_plain = value.abs() >= 10.0 || value.fract() == 0.0;
    if is_plain { format!("{value:.0}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{IterationReport, LearningReport};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    /// Renders the dashboard as text.
    fn shown(board: &Board) -> String {
        let mut terminal = Terminal::new(TestBackend::new(100, 40)).unwrap();
        let lines = ["iteration 2: fine".to_owned()];
        let pace = Pace { games: 12.5, evaluations: 40_000.0, ..Pace::default() };
        terminal.draw(|frame| draw(frame, board, &lines, &pace, 30, false)).unwrap();
        let buffer = terminal.backend().buffer().clone();
        buffer.content().iter().map(|cell| cell.symbol()).collect()
    }

    #[test]
    fn all_there_is_to_see_is_shown() {
        shown(&Board::default());
        let learning = LearningReport {
            steps: 5,
            policy_loss: 1.5,
            value_loss: 0.5,
            ..LearningReport::default()
        };
        let report = |iteration| IterationReport { iteration, learning, ..Default::default() };
        let board = Board {
            title: "connect-four".into(),
            phase: "iteration 3".into(),
            games: 64,
            games_before: 10,
            buffer: (500, 1000),
            history: vec![report(1), report(2)],
            sample_game: "d d c".into(),
            ..Board::default()
        };
        let view = shown(&board);
        for text in ["connect-four", "iteration 3", "12.5 games/s", "40000 evals/s", "20 of 64"] {
            assert!(view.contains(text), "{text} is not in {view}");
        }
        for text in ["500 of 1000", "iteration 2: fine", "d d c", "policy"] {
            assert!(view.contains(text), "{text} is not in {view}");
        }
    }
}
