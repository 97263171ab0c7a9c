//! The little English that sentences need: articles, plurals, lists, verbs.

/// Who or what a sentence is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Noun {
    pub(super) text: String,
    pub(super) many: bool,
}

impl Noun {
    pub(super) fn one(text: impl Into<String>) -> Self {
        Self { text: text.into(), many: false }
    }

    pub(super) fn many(text: impl Into<String>) -> Self {
        Self { text: text.into(), many: true }
    }

    pub(super) fn you() -> Self {
        Self::one("you")
    }

    pub(super) fn is_you(&self) -> bool {
        self.text == "you"
    }

    /// "your", "its", "that player's".
    pub(super) fn possessive(&self) -> String {
        match &*self.text {
            "you" => "your".into(),
            "it" => "its".into(),
            "they" => "their".into(),
            text if text.ends_with('s') => format!("{text}'"),
            text => format!("{text}'s"),
        }
    }
}

/// A sentence in parts: "that player" "draw" "a card".
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) subject: Noun,
    pub(super) verb: String,
    pub(super) rest: String,
    /// Said to you, it is an order: "draw a card", not "you draw a card".
    pub(super) order: bool,
}

impl Clause {
    pub(super) fn order(subject: Noun, verb: &str, rest: impl Into<String>) -> Self {
        Self { subject, verb: verb.into(), rest: rest.into(), order: true }
    }

    pub(super) fn tell(subject: Noun, verb: &str, rest: impl Into<String>) -> Self {
        Self { order: false, ..Self::order(subject, verb, rest) }
    }

    /// As a sentence, without capital and full stop.
    pub(super) fn sentence(&self) -> String {
        let Self { subject, verb, rest, order } = self;
        match subject.is_you() {
            true if *order => joined(&[verb, rest]),
            true => joined(&["you", verb, rest]),
            false if subject.many => joined(&[&subject.text, verb, rest]),
            false => joined(&[&subject.text, &third(verb), rest]),
        }
    }

    /// After "may": "draw a card", or "have that player draw a card".
    pub(super) fn infinitive(&self, who: &Noun) -> String {
        let Self { subject, verb, rest, .. } = self;
        if subject == who || (subject.is_you() && self.order) {
            joined(&[verb, rest])
        } else {
            joined(&["have", &subject.text, verb, rest])
        }
    }
}

/// Words with blanks between those that are there.
pub(super) fn joined(words: &[&str]) -> String {
    let words: Vec<&str> = words.iter().copied().filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// The verb of "it".
pub(super) fn third(verb: &str) -> String {
    match verb {
        "have" => "has".into(),
        "are" => "is".into(),
        "don't" => "doesn't".into(),
        _ if verb.starts_with("can") => verb.into(),
        _ if ["ch", "sh", "ss", "x"].iter().any(|end| verb.ends_with(end)) => format!("{verb}es"),
        _ => format!("{verb}s"),
    }
}

/// More than one of something.
pub(super) fn plural(word: &str) -> String {
    match word {
        "Plains" | "Merfolk" | "Sheep" => word.into(),
        _ if word.ends_with('f') => format!("{}ves", &word[..word.len() - 1]),
        _ if word.ends_with('y') && !word.ends_with("ey") => {
            format!("{}ies", &word[..word.len() - 1])
        }
        _ if ["s", "x", "ch", "sh"].iter().any(|end| word.ends_with(end)) => format!("{word}es"),
        _ => format!("{word}s"),
    }
}

/// "a Wall", "an Island".
pub(super) fn article(words: &str) -> String {
    let vowel = words.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    format!("{} {words}", if vowel { "an" } else { "a" })
}

/// A small number as a word.
pub(super) fn number(number: i32) -> String {
    let words =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let word = usize::try_from(number).ok().and_then(|at| words.get(at));
    word.map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// "a, b, or c".
pub(super) fn list<T: AsRef<str>>(words: &[T], and: &str) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match &words[..] {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [one, two] => format!("{one} {and} {two}"),
        [front @ .., last] => format!("{}, {and} {last}", front.join(", ")),
    }
}

/// With a capital letter.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
