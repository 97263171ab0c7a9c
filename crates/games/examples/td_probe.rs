//! probe
use meeple_game::Rng;
use meeple_games::backgammon::ValueNetwork;
fn main() {
    let t = std::time::Instant::now();
    let args: Vec<String> = std::env::args().collect();
    let total: u64 = args[1].parse().unwrap();
    let stop: u64 = args[2].parse().unwrap();
    let (seed, at_once, window) = (1u64, 32u64, 40_000u64);
    let (first, last) = (0.01f64, 0.0002f64);
    let stream = |s: u64| Rng::new(seed).split(s);
    let mut net = ValueNetwork::random(stream(0).bits());
    let mut avg = net.clone();
    let mut games = 0;
    while games < total.min(stop) {
        let count = at_once.min(total - games);
        let mut all = vec![Vec::new(); count as usize];
        let half = all.len().div_ceil(2);
        std::thread::scope(|s| {
            for (c, chunk) in all.chunks_mut(half).enumerate() {
                let net = &net;
                let stream = &stream;
                s.spawn(move || for (i, slot) in chunk.iter_mut().enumerate() {
                    *slot = net.play_game(stream(1).split(games + (c * half + i) as u64).bits());
                });
            }
        });
        let left = 1.0 - games as f64 / total as f64;
        let rate = (last + (first - last) * left * left) as f32;
        let mut e = 0.0;
        for l in all.iter().flatten() { if games % 16000 == 0 { e += l.squared_error(&net) } net.learn(l, rate); }
        games += count;
        let w = window.min(games / 5).max(count);
        avg.approach(&net, (count as f64 / w as f64) as f32);
        if (games - count) % 16000 == 0 {
            let n: usize = all.iter().map(|x| x.len()).sum();
            println!("{games} {:.0}s rate {rate:.5} rms {:.4} hash {:016x} avg {:016x}", t.elapsed().as_secs_f64(), (e / n as f32).sqrt(), net.hash(), avg.hash());
            std::fs::write(&args[3], avg.to_bytes()).unwrap();
        }
    }
    std::fs::write(&args[3], avg.to_bytes()).unwrap();
    println!("done {games} {:016x}", avg.hash());
}
