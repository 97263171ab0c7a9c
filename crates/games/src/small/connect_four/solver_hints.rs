//! What connect four tells an exact solver: forced moves, moves that lose at once, bounds and
//! symmetric keys (after Pons, 2015, "Solving Connect 4").

use meeple_game::{Action, Bounds, Score, SolverHints, mix};

use super::{BOTTOM, CELLS, COLUMN, COLUMNS, ConnectFour, FULL, STRIDE, completions};

/// Columns from the middle outwards: more lines pass through the middle.
const OUTWARDS: [usize; COLUMNS] = [3, 2, 4, 1, 5, 0, 6];
/// Positions with fewer discs share the key of their reflection. Later ones hardly ever meet it,
/// and reflecting takes time.
const REFLECTED: u32 = 16;

impl ConnectFour {
    pub(super) const SOLVER_HINTS: SolverHints<Self> =
        SolverHints { candidates: Self::candidates, key: Self::symmetric_key };

    fn candidates(&self, out: &mut Vec<(Action, i32)>) -> Bounds {
        let landing = self.landing();
        if completions(self.mine, landing) != 0 {
            return Bounds::exactly(Score::win_in(1));
        }
        let open = FULL & !self.all;
        let threats = completions(self.all ^ self.mine, open);
        let forced = landing & threats;
        // Below a threat one does not play: the opponent would take the square above.
        let safe = if forced == 0 { landing } else { forced } & !(threats >> 1);
        if forced & forced.wrapping_sub(1) != 0 || safe == 0 {
            return Bounds::exactly(Score::loss_in(2));
        }
        let left = CELLS as u32 - self.all.count_ones();
        if left < 3 {
            return Bounds::exactly(Score::DRAW);
        }
        for column in OUTWARDS {
            let square = safe & (COLUMN << (column * STRIDE));
            if square != 0 {
                let made = completions(self.mine | square, open).count_ones();
                out.push((Action(column as u16), made as i32));
            }
        }
        let low = if left > 3 { Score::loss_in(4) } else { Score::DRAW };
        Bounds { low, high: Score::win_in(3) }
    }

    fn symmetric_key(&self) -> u64 {
        let number = self.all + BOTTOM + self.mine;
        if self.all.count_ones() >= REFLECTED {
            return mix(number);
        }
        let mut reflected = 0;
        for column in 0..COLUMNS {
            let bits = number >> (column * STRIDE) & ((1 << STRIDE) - 1);
            reflected |= bits << ((COLUMNS - 1 - column) * STRIDE);
        }
        mix(number.min(reflected))
    }
}
