//! What a network learns from: positions, what to do there, how it went.

use meeple_game::Action;

use crate::NetError;
use crate::encode::Encoder;
use crate::shape::Purpose;

/// Examples to learn from, one after the other in flat lists.
///
/// Legal actions are lists, not masks: menus are short where policies are wide.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// `[examples, cells]`, as the game wrote them, row by row.
    pub observations: Vec<i32>,
    /// Where the legal actions of each example end in the two lists below.
    pub legal_ends: Vec<u32>,
    /// The legal actions of all examples.
    pub legal_actions: Vec<u16>,
    /// How likely each of them should be; 1 in sum for each example whose
    /// policy counts.
    pub policies: Vec<f32>,
    /// `[examples, seats]`, what each seat should expect from -1 to 1, the
    /// observer's first and the others' in clockwise order, row by row.
    pub values: Vec<f32>,
    /// How much the policy of each example counts, usually 1; 0 if it is not
    /// worth learning.
    pub policy_weights: Vec<f32>,
    /// How much the values of each example count, usually 1.
    pub value_weights: Vec<f32>,
}

/// One example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example<'a> {
    /// What the one who decides sees.
    pub observation: &'a [i32],
    /// The legal actions.
    pub legal: &'a [Action],
    /// How likely each of them should be; 1 in sum.
    pub policy: &'a [f32],
    /// What each seat should expect, from the one who decides on clockwise.
    /// Missing seats count as 0.
    pub values: &'a [f32],
    /// How much the policy counts.
    pub policy_weight: f32,
    /// How much the values count.
    pub value_weight: f32,
}

impl Batch {
    /// Adds an example for a network with values for `seats`.
    ///
    /// # Panics
    ///
    /// Panics when the policy is not as long as the list of legal actions, or
    /// there are more values than seats.
    pub fn push(&mut self, example: &Example<'_>, seats: usize) {
        assert_eq!(example.legal.len(), example.policy.len(), "one probability an action");
        assert!(example.values.len() <= seats, "one value a seat");
        self.observations.extend_from_slice(example.observation);
        self.legal_actions.extend(example.legal.iter().map(|action| action.0));
        self.policies.extend_from_slice(example.policy);
        self.legal_ends.push(self.legal_actions.len() as u32);
        self.values.extend_from_slice(example.values);
        self.values.resize(self.legal_ends.len() * seats, 0.0);
        self.policy_weights.push(example.policy_weight);
        self.value_weights.push(example.value_weight);
    }

    /// Forgets every example, but keeps the memory.
    pub fn clear(&mut self) {
        self.observations.clear();
        self.legal_ends.clear();
        self.legal_actions.clear();
        self.policies.clear();
        self.values.clear();
        self.policy_weights.clear();
        self.value_weights.clear();
    }

    /// The number of examples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.legal_ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.legal_ends.is_empty()
    }

    /// Where the legal actions of an example are in the lists.
    pub(crate) fn legal_range(&self, example: usize) -> std::ops::Range<usize> {
        let start = example.checked_sub(1).map_or(0, |before| self.legal_ends[before]);
        start as usize..self.legal_ends[example] as usize
    }

    /// Checks that all examples are for a network like this one.
    pub(crate) fn check(&self, purpose: &Purpose, encoder: &Encoder) -> Result<(), NetError> {
        let count = self.len();
        if count == 0 {
            return Err(NetError::EmptyBatch);
        }
        let lengths = [
            ("observations", count * encoder.cells(), self.observations.len()),
            ("policies", self.legal_actions.len(), self.policies.len()),
            ("values", count * purpose.seats, self.values.len()),
            ("policy_weights", count, self.policy_weights.len()),
            ("value_weights", count, self.value_weights.len()),
        ];
        for (what, expected, got) in lengths {
            NetError::expect_length(what, expected, got)?;
        }
        let mut end = 0;
        for (example, &next) in self.legal_ends.iter().enumerate() {
            if next <= end || next as usize > self.legal_actions.len() {
                let reason = format!(
                    "its legal actions are {end} to {next} of {}, expected at least one",
                    self.legal_actions.len()
                );
                return Err(NetError::BadExample { example, reason });
            }
            end = next;
            self.check_example(example, purpose)
                .map_err(|reason| NetError::BadExample { example, reason })?;
        }
        NetError::expect_length("legal_actions", end as usize, self.legal_actions.len())
    }

    fn check_example(&self, example: usize, purpose: &Purpose) -> Result<(), String> {
        let range = self.legal_range(example);
        let actions = &self.legal_actions[range.clone()];
        if let Some(wrong) = actions.iter().find(|&&action| action as usize >= purpose.actions) {
            return Err(format!("action {wrong} is legal, expected one below {}", purpose.actions));
        }
        let policy = &self.policies[range];
        if let Some(wrong) = policy.iter().find(|&&share| !(0.0..=1.001).contains(&share)) {
            return Err(format!("a probability is {wrong}, expected 0 to 1"));
        }
        let sum: f32 = policy.iter().sum();
        if (sum - 1.0).abs() > 0.01 && self.policy_weights[example] > 0.0 {
            return Err(format!("its probabilities sum to {sum}, expected 1"));
        }
        let values = &self.values[example * purpose.seats..(example + 1) * purpose.seats];
        if let Some(wrong) = values.iter().find(|&&value| !(-1.0..=1.0).contains(&value)) {
            return Err(format!("a value is {wrong}, expected -1 to 1"));
        }
        let weights = [self.policy_weights[example], self.value_weights[example]];
        match weights.iter().find(|&&weight| !(weight >= 0.0 && weight.is_finite())) {
            Some(wrong) => Err(format!("a weight is {wrong}, expected 0 or more")),
            None => Ok(()),
        }
    }
}
