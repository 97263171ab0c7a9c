//! Inputs that experts look at: shots, escapes, primes, timing, anchors. Berliner (1977) and
//! GNU Backgammon use quantities of this kind.

use super::super::board::{BAR, Board, HOME, mirrored};

/// The number of features of a side.
pub(super) const COUNT: usize = 18;
/// The distance within which blocked points matter to an escape.
const REACH: usize = 12;

/// The number of rolls, of 36, with which a checker can play the whole roll past the blocked
/// points within reach. Bit `REACH - distance` of the index stands for a blocked point.
static ESCAPES: [u8; 1 << REACH] = {
    const fn is_free(points: usize, distance: usize) -> bool {
        points >> (REACH - distance) & 1 == 0
    }
    let mut table = [0; 1 << REACH];
    let mut points = 0;
    while points < table.len() {
        let mut high = 1;
        while high <= 6 {
            let mut low = 1;
            while low <= high {
                let lands = is_free(points, high + low);
                if high == low && lands && is_free(points, high) {
                    table[points] += 1;
                } else if high != low && lands && (is_free(points, high) || is_free(points, low)) {
                    table[points] += 2;
                }
                low += 1;
            }
            high += 1;
        }
        points += 1;
    }
    table
};

/// The number of rolls that escape from `point` past the blocked points.
#[inline]
fn escapes(blocked: u32, point: usize) -> u32 {
    let below =
        if point >= REACH { blocked >> (point - REACH) } else { blocked << (REACH - point) };
    u32::from(ESCAPES[below as usize & ((1 << REACH) - 1)])
}

/// What the rolls of an attacker hit.
#[derive(Default)]
struct Shots {
    /// The number of rolls, of 36, that hit.
    rolls: u32,
    /// The number of rolls that hit two blots or more.
    double: u32,
    /// The pips that the hit checkers lose, summed over the rolls.
    pips: u32,
}

impl Shots {
    #[inline]
    fn add(&mut self, hit: u32, weight: u32) {
        if hit != 0 {
            self.rolls += weight;
            self.pips += weight * (32 - hit.leading_zeros());
            self.double += weight * u32::from(hit & (hit - 1) != 0);
        }
    }

    /// The shots of an attacker at `blots`, with all points as the attacker counts them: its own
    /// checkers, those on the bar, and the points blocked for it.
    fn of(own: u32, bar: u8, blocked: u32, blots: u32) -> Self {
        let mut shots = Self::default();
        if blots == 0 {
            return shots;
        }
        let free = !blocked & ((1 << BAR) - 1);
        let entry = |die: u32| 1 << (BAR as u32 - die) & free;
        for high in 1..=6u32 {
            let step = |from: u32, die: u32| from >> die & free;
            for low in 1..high {
                let hit = match bar {
                    0 => {
                        let (one, other) = (step(own, high), step(own, low));
                        one | other | step(one, low) | step(other, high)
                    }
                    1 => {
                        let (one, other) = (entry(high), entry(low));
                        let mut hit = one | other;
                        if one != 0 {
                            hit |= step(own | one, low);
                        }
                        if other != 0 {
                            hit |= step(own | other, high);
                        }
                        hit
                    }
                    _ => entry(high) | entry(low),
                };
                shots.add(hit & blots, 2);
            }
            // A double: up to four steps, after all checkers on the bar have entered.
            let mut reached = own;
            let mut hit = 0;
            if bar > 0 {
                hit = entry(high);
                reached |= hit;
            }
            if bar == 0 || hit != 0 {
                for _ in bar.min(4)..4 {
                    reached = step(reached, high);
                    hit |= reached;
                }
            }
            shots.add(hit & blots, 1);
        }
        shots
    }
}

/// The features of `side`, each of about the size of 1.
pub(super) fn features(board: &Board, side: usize) -> [f32; COUNT] {
    let other = 1 - side;
    let (own, made) = (board.occupied(side), board.made(side));
    let blots = own & !made;
    let (highest, their_highest) = (board.highest(side), board.highest(other));
    // For each side, the points that block it as it counts them.
    let (blocked, their_blocked) = (board.blocked(side), board.blocked(other));
    let bar = board.checkers(side, BAR);

    let checkers = |point: usize| u32::from(board.checkers(side, point));
    let pips: u32 = (0..=BAR).map(|point| (point as u32 + 1) * checkers(point)).sum();
    let shots = Shots::of(
        board.occupied(other),
        board.checkers(other, BAR),
        their_blocked,
        mirrored(blots),
    );

    // Containment: the worst place for an opponent's checker behind our points, and the worst one
    // where it has to come from.
    let (mut trap, mut own_trap) = (36, 36);
    for point in 12..=BAR {
        let rolls = escapes(their_blocked, point);
        if point >= 15 {
            trap = rolls.min(trap);
        }
        if point <= their_highest {
            own_trap = rolls.min(own_trap);
        }
    }
    let containment = (36 - trap) as f32 / 36.0;

    let mobility: u32 = (6..=BAR)
        .filter(|&point| checkers(point) > 0)
        .map(|point| (point as u32 - 5) * checkers(point) * escapes(blocked, point))
        .sum();

    // The spread of the checkers behind the mean point.
    let on_board: u32 = (0..=BAR).map(checkers).sum();
    let mean = pips as f32 / on_board.max(1) as f32 - 1.0;
    let (mut spread, mut behind) = (0.0, 0.0);
    for point in 0..=BAR {
        let distance = point as f32 - mean;
        if distance > 0.0 {
            spread += distance * distance * checkers(point) as f32;
            behind += checkers(point) as f32;
        }
    }

    let closed = (board.made(other) & HOME).count_ones() as f32 / 6.0;

    let mut run = made;
    let mut prime = 0;
    while run != 0 {
        run &= run >> 1;
        prime += 1;
    }

    // Pips to pass the opponent's rearmost checker, and pips that can be played beyond it.
    let line = BAR as i32 - 1 - their_highest as i32;
    let (mut to_pass, mut to_spare) = (0, 0);
    for (point, checkers) in (0i32..).zip((0..=BAR).map(checkers)) {
        if point > line {
            to_pass += (point - line) as u32 * checkers;
        } else {
            to_spare += (point as u32 + 1) * checkers;
        }
    }

    let anchors = (made >> 18).count_ones();
    [
        pips as f32 / 100.0,
        shots.rolls as f32 / 36.0,
        shots.pips as f32 / (36.0 * 12.0),
        shots.double as f32 / 36.0,
        escapes(blocked, highest) as f32 / 36.0,
        containment,
        containment * containment,
        (36 - own_trap) as f32 / 36.0,
        mobility as f32 / 2000.0,
        spread / f32::max(behind, 1.0) / 100.0,
        closed * closed,
        if bar > 0 { closed * closed } else { 0.0 },
        prime as f32 / 4.0,
        to_pass as f32 / 100.0,
        to_spare as f32 / 100.0,
        f32::from(u8::from(anchors >= 1)),
        f32::from(u8::from(anchors >= 2)),
        (blots & HOME).count_ones() as f32 / 2.0,
    ]
}
