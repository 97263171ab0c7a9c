//! Tests of bots by name.

use super::*;
use std::time::Duration;

use meeple_game::{Action, Rng};

use crate::Watch;
use meeple_games::small::{ConnectFour, KnockoutWhist, Kuhn, Pig};

#[track_caller]
fn refused(text: &str, expected: &str) {
    assert_eq!(text.parse::<BotSpec>().unwrap_err().to_string(), expected);
}

#[test]
fn specs_are_read_and_written() {
    for text in [
        "random",
        "greedy",
        "flat:playouts=7",
        "flat:playouts=7,temperature=0.5",
        "mcts:sims=1000,c=1.4,determinizations=10",
        "mcts-ismcts:sims=7,c=0.5",
        "mcts-ordered:sims=7,c=0.5",
        "mcts-transposition:sims=7,c=0.5",
        "mcts-parallel:sims=7,c=0.5,workers=8,threads=1",
        "puct:sims=7,c=2",
        "puct:sims=7,c=2,eval=auto",
        "puct:sims=7,c=1.25,prior=onestep",
        "puct:sims=64,c=2,model=runs/a/model.safetensors,root=gumbel,considered=8",
        "puct:sims=7,c=2,eval=rollout,depth=8,root=gumbel,considered=4,below=yes,reuse=yes",
        "mcts:sims=9,c=1.25,determinizations=3,eval=heuristic,prior=game",
        "mcts:sims=9,c=1,determinizations=10,depth=20",
        "mcts-ismcts:sims=400,c=0.5,eval=heuristic,prior=onestep,reuse=yes,observer=mover",
        "mcts-ismcts:sims=400",
        "mcts-ismcts:ms=50,full_budget=yes",
        "mcts-ismcts:sims=50,early_stop=0.4,reuse=count",
        "mcts-ismcts:sims=50,observer=mover,sims_per_determinization=16",
        "mcts-ismcts:sims=50,observer=searcher",
        "mcts-ismcts:sims=50,focus=no",
        "mcts:sims=2000,c=1.2,determinizations=10,memory=64MB",
        "mcts-parallel:sims=7,c=1,workers=8,threads=1,memory=512KB",
        "mcts:sims=9,ms=50,c=1,determinizations=10",
        "mcts-ismcts:sims=400,c=1,eval=rollout,prior=even",
        "mcts-ordered:sims=7,c=1.25,prior=history",
        "mcts-parallel:sims=7,c=1,workers=8,threads=1,share=tree",
        "alphabeta:nodes=100000",
        "mcts-ismcts:sims=7,sims_per_action=3,c=0.5",
        "alphabeta:depth=6",
        "maxn:nodes=100000",
        "paranoid:depth=3",
        "brs:ms=200,hash=1MB",
        "alphabeta:depth=2,temperature=0.25",
        "mcts:sims=50,c=1,determinizations=10,temperature=0.1",
        "alphabeta:ms=200,hash=64MB",
        "alphabeta:depth=6,nodes=5000,ms=200,hash=1MB,threads=2",
        "program:time=500,command=python3 bot.py --depth=3,4",
        "uci:nodes=10,time=2000,command=stockfish",
        "gnubg:plies=2,noise=0.05,time=2000,command=gnubg",
        "greedy:weights.card=1.5,weights.land=-2",
        "mcts:sims=9,c=1,determinizations=10,eval=heuristic,weights.land=2",
    ] {
        assert_eq!(text.parse::<BotSpec>().unwrap().to_string(), text);
    }
    // A prior implies PUCT, whose default exploration constant differs.
    let spec: BotSpec = "mcts:prior=killers".parse().unwrap();
    assert_eq!(spec.to_string(), "mcts:sims=1000,c=1.25,determinizations=10,prior=killers");
    assert_eq!(
        " Flat : playouts = 7 ".parse(),
        Ok(BotSpec::Flat { playouts: 7, temperature: 0.0 })
    );
    assert_eq!("flat".parse(), Ok(BotSpec::Flat { playouts: 100, temperature: 0.0 }));
    for (alias, name) in BotSpec::ALIASES {
        assert_eq!(alias.parse::<BotSpec>(), name.parse::<BotSpec>());
    }
}

#[test]
fn clocks_threads_and_programs_do_not_repeat() {
    for (text, expected) in [
        ("greedy:weights.land=2", true),
        ("mcts:sims=9", true),
        ("mcts:sims=9,ms=50", false),
        ("mcts:ms=50,eval=heuristic,weights.land=2", false),
        ("mcts-parallel:threads=2", true),
        ("mcts-parallel:threads=2,share=tree", false),
        ("mcts-parallel:threads=1,share=tree", true),
        ("alphabeta:depth=6", true),
        ("alphabeta:ms=50", false),
        ("alphabeta:depth=6,threads=2", false),
        ("uci:command=stockfish", false),
    ] {
        let bot: BotSpec = text.parse().unwrap();
        assert_eq!(bot.is_repeatable(), expected, "{text}");
    }
}

#[test]
fn mistakes_are_named_with_what_exists() {
    let known = "random, greedy, flat, mcts, mcts-ismcts, mcts-ordered, mcts-transposition, \
                 mcts-parallel, puct, alphabeta, maxn, paranoid, brs, program, uci, gnubg, beginner, casual, \
                 club, strong, strongest";
    refused("xyz", &format!("unknown bot \"xyz\", expected one of {known}"));
    refused("mcst", &format!("unknown bot \"mcst\", expected one of {known}; did you mean mcts?"));
    refused(
        "mcts:sim=3",
        "bot mcts has no option \"sim\", expected one of ms, temperature, sims, sims_per_action, \
         full_budget, early_stop, prior, c, eval, depth, reuse, \
         memory, focus, root, determinizations, weights.NAME; did you mean sims?",
    );
    refused(
        "mcts-transposition:eval=heuristic,depth=3",
        "bot mcts-transposition has no option \"depth\", expected one of ms, temperature, sims, \
         sims_per_action, full_budget, early_stop, prior, c, eval, \
         reuse, memory, focus, weights.NAME",
    );
    refused(
        "mcts:prior=best",
        "bot mcts: prior=best is not one of even, game, onestep, history, killers, auto",
    );
    refused(
        "mcts-transposition:prior=history",
        "bot mcts-transposition: prior=history is not one of even, game, onestep",
    );
    refused("mcts:eval=net", "bot mcts: eval=net is not one of rollout, heuristic, auto");
    refused(
        "puct:model=a.safetensors,prior=game",
        "bot puct has no option \"model\", expected one of ms, temperature, sims, sims_per_action, \
         full_budget, early_stop, prior, c, eval, reuse, memory, focus, root, \
         weights.NAME",
    );
    refused("puct:eval=model,prior=game", "bot puct: prior=game is not for bots without a network");
    refused("mcts:early_stop=0", "bot mcts: early_stop=0 is not a number above 0 and at most 1");
    refused("mcts:reuse=1", "bot mcts: reuse=1 is not yes, no or count");
    for size in ["64", "1MiB", "-1MB", "63KB", "65GB", "99999999999999999999GB"] {
        let expected = "a size from 64KB to 64GB, such as 64MB";
        refused(
            &format!("mcts:memory={size}"),
            &format!("bot mcts: memory={size} is not {expected}"),
        );
    }
    refused(
        "mcts-parallel:memory=256KB,workers=5",
        "bot mcts-parallel: memory=256KB is not 64KB or more for each worker",
    );
    refused(
        "alphabeta:playouts=3",
        "bot alphabeta has no option \"playouts\", expected one of ms, temperature, depth, nodes, hash, \
         threads, \
         weights.NAME",
    );
    refused("alphabeta:depth=121", "bot alphabeta: depth=121 is not a whole number from 1 to 120");
    refused("mcts:ms=0", "bot mcts: ms=0 is not a whole number from 1 to 1000000");
    refused(
        "puct:ms=50,root=gumbel",
        "bot puct: ms=50 is not usable with root=gumbel, which plans its simulations",
    );
    refused("mcts-parallel:share=all", "bot mcts-parallel: share=all is not one of roots, tree");
    refused(
        "mcts-parallel:share=tree,root=gumbel",
        "bot mcts-parallel has no option \"root\", expected one of ms, temperature, sims, \
         sims_per_action, full_budget, early_stop, prior, c, eval, depth, \
         reuse, memory, focus, share, workers, threads, weights.NAME",
    );
    refused("greedy:land=2", r#"bot greedy has no option "land", expected one of weights.NAME"#);
    refused("greedy:weights.land=much", "bot greedy: weights=land:much is not a finite number");
    refused("puct:c=-1", "bot puct: c=-1 is not a number from 0 to 1000");
    refused("mcts:c=NaN", "bot mcts: c=NaN is not a number from 0 to 1000");
    refused("mcts:sims=0", "bot mcts: sims=0 is not a whole number from 1 to 100000000");
    refused("random:sims=3", r#"bot random has no option "sims", expected none"#);
    refused(
        "flat:sims=3",
        r#"bot flat has no option "sims", expected one of playouts, temperature"#,
    );
    for value in ["0", "-1", "1e3", "99999999999"] {
        let expected =
            format!("bot flat: playouts={value} is not a whole number from 1 to 1000000");
        refused(&format!("flat:playouts={value}"), &expected);
    }
    let expected = "expected option=value, each option once";
    refused("flat:playouts", &format!("bot flat: cannot read \"playouts\", {expected}"));
    refused(
        "flat:playouts=1,playouts=2",
        &format!("bot flat: cannot read \"playouts=2\", {expected}"),
    );
}

#[test]
fn searches_play_what_they_can() {
    let build = |text: &str| {
        let spec: BotSpec = text.parse().unwrap();
        (
            spec.build::<Kuhn>(&Default::default()).err(),
            spec.build::<Pig>(&Default::default()).err(),
        )
    };
    for text in ["mcts", "mcts-ismcts", "mcts-parallel"] {
        assert_eq!(build(text), (None, None), "{text}");
    }
    assert!(matches!(build("mcts-ordered"), (Some(_), Some(_))), "no heuristic evaluation");
    for text in ["mcts:eval=heuristic", "mcts-ismcts:depth=3", "mcts-ismcts:prior=onestep"] {
        assert!(matches!(build(text), (Some(_), Some(_))), "{text}: no heuristic evaluation");
    }
    for text in [
        "alphabeta",
        "expectiminimax:depth=2",
        "maxn",
        "paranoid",
        "brs",
        "mcts-transposition",
        "puct",
        "mcts-parallel:share=tree",
    ] {
        assert!(matches!(build(text), (Some(Error::WrongGame { .. }), None)), "{text}");
    }
    assert!(
        "mcts-ordered"
            .parse::<BotSpec>()
            .unwrap()
            .build::<ConnectFour>(&Default::default())
            .is_ok()
    );
}

/// All option combinations play complete, reproducible games of perfect and imperfect
/// information.
#[test]
fn searches_with_all_their_options_play() {
    let evals = ["", ",eval=auto", ",prior=history,reuse=yes", ",prior=killers,reuse=no"];
    for name in ["mcts", "mcts-ismcts", "mcts-parallel"] {
        for eval in evals {
            for root in ["", ",root=gumbel,considered=2,below=yes"] {
                let text = format!("{name}:sims=20{eval}{root}");
                plays::<KnockoutWhist>(&text);
                plays::<Pig>(&text);
            }
        }
    }
    for text in [
        "mcts-ismcts:sims=20,eval=heuristic,prior=onestep,root=gumbel,reuse=yes",
        "mcts-transposition:sims=20,prior=game",
        "mcts-parallel:sims=20,share=tree,threads=1,prior=game,depth=4",
        "mcts-parallel:sims=20,share=tree,threads=1,prior=killers",
        "puct:sims=20,prior=onestep",
        "alphabeta:nodes=300,hash=64KB",
        "alphabeta:depth=3",
    ] {
        plays::<ConnectFour>(text);
    }
}

/// Records the actions and chance outcomes of a game.
#[derive(Default)]
struct Recorder(Vec<Action>);

impl<G: Game> Watch<G> for Recorder {
    fn decided(&mut self, _game: &G, action: Action, _bot: &dyn Bot<G>, _time: Duration) {
        self.0.push(action);
    }

    fn chanced(&mut self, action: Action) {
        self.0.push(action);
    }
}

#[track_caller]
fn plays<G: Game>(text: &str) {
    let spec: BotSpec = text.parse().expect("a bot that exists");
    let seats = G::new(&G::Config::default()).players();
    let build = |_| spec.build::<G>(&G::Config::default()).expect("a bot that plays it");
    let played = |seed: u64| {
        let mut bots: Vec<Box<dyn Bot<G>>> = (0..seats).map(build).collect();
        let (game, mut recorder) = (G::new(&G::Config::default()), Recorder::default());
        let played = crate::play_game(game, &mut bots, &Rng::new(seed), &mut recorder);
        (played.unwrap(), recorder.0)
    };
    assert_eq!(played(3), played(3), "{text} plays the same again");
}

#[test]
fn greedy_needs_a_heuristic_evaluation() {
    let refused = BotSpec::Greedy.build::<Kuhn>(&Default::default()).err();
    assert!(matches!(refused, Some(Error::WrongGame { bot: "greedy", game: "kuhn", .. })));
}
