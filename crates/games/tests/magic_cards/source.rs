//! The words of the card language and what they mean, read from its source.

/// The files of the language, in the order of the document.
const SOURCES: &[&str] = &[
    include_str!("../../../card-language/src/lib.rs"),
    include_str!("../../../card-language/src/ability.rs"),
    include_str!("../../../card-language/src/effect.rs"),
    include_str!("../../../card-language/src/reference.rs"),
    include_str!("../../../card-language/src/filter.rs"),
    include_str!("../../../card-language/src/words.rs"),
];

/// A type of the language.
#[derive(Debug)]
pub(crate) struct Words {
    pub(crate) name: String,
    pub(crate) doc: String,
    /// Whether it is a struct, whose words are fields.
    pub(crate) is_struct: bool,
    pub(crate) words: Vec<Word>,
}

/// A variant of an enum, or a field of a struct.
#[derive(Debug)]
pub(crate) struct Word {
    pub(crate) name: String,
    pub(crate) doc: String,
    /// What is in the brackets of a variant, or the type of a field.
    pub(crate) holds: String,
    pub(crate) fields: Vec<Field>,
}

#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) holds: String,
    pub(crate) optional: bool,
}

/// All types of the language, in order.
pub(crate) fn types() -> Vec<Words> {
    SOURCES.iter().flat_map(|source| types_in(source)).collect()
}

/// The sources are formatted: what a line is shows in its first letters.
fn types_in(source: &str) -> Vec<Words> {
    let mut types: Vec<Words> = Vec::new();
    let (mut doc, mut optional) = (String::new(), false);
    let (mut inside, mut expect_name) = (false, false);
    for line in source.lines() {
        let text = line.trim();
        if let Some(more) = text.strip_prefix("///") {
            let more = more.trim().replace("[`", "`").replace("`]", "`");
            doc = [doc.trim(), &more].join(" ").trim().to_owned();
            continue;
        }
        if text.starts_with("#[serde") {
            optional |= text.contains("default");
            continue;
        }
        if text.starts_with("#[") {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let header = text
            .strip_prefix("pub enum ")
            .map(|rest| (rest, false))
            .or_else(|| text.strip_prefix("pub struct ").map(|rest| (rest, true)));
        if let Some((rest, is_struct)) =
            header.filter(|(rest, _)| indent == 0 && rest.ends_with('{'))
        {
            let name = rest.trim_end_matches(['{', ' ']).to_owned();
            types.push(Words { name, doc: std::mem::take(&mut doc), is_struct, words: Vec::new() });
            inside = true;
        } else if text == "words! {" {
            expect_name = true;
        } else if expect_name && text.ends_with(");") {
            let name = text.split(',').next().unwrap_or_default().to_owned();
            types.push(Words {
                name,
                doc: std::mem::take(&mut doc),
                is_struct: false,
                words: Vec::new(),
            });
            (inside, expect_name) = (true, false);
        } else if line == "}" {
            inside = false;
        } else if inside && !doc.is_empty() {
            let words = types.last_mut().expect("inside of a type");
            let doc = std::mem::take(&mut doc);
            if indent == 4 {
                words.words.push(word(text, doc, &words.name));
            } else if indent == 8 {
                let field = field(text, doc, optional, &words.name);
                words.words.last_mut().expect("inside of a variant").fields.push(field);
            }
        }
        if !inside && !expect_name {
            doc.clear();
        }
        optional = false;
    }
    // What is parsed from text, or is about the crate alone, is told in prose.
    types.retain(|words| !words.words.is_empty());
    types
}

fn word(text: &str, doc: String, of: &str) -> Word {
    let text = text.trim_start_matches("pub ").trim_end_matches([',', '{', ' ']);
    let (name, holds) = match text.split_once(" = ") {
        Some((name, _)) => (name, ""),
        None => match (text.split_once(": "), text.split_once('(')) {
            (Some((name, holds)), _) => (name, holds),
            (None, Some((name, holds))) => (name, holds.trim_end_matches(')')),
            (None, None) => (text, ""),
        },
    };
    Word { name: name.into(), doc, holds: plain(holds, of), fields: Vec::new() }
}

fn field(text: &str, doc: String, optional: bool, of: &str) -> Field {
    let (name, holds) = text.trim_end_matches(',').split_once(": ").unwrap_or((text, ""));
    Field { name: name.into(), doc, holds: plain(holds, of), optional }
}

/// A Rust type, in the type `of`, as readers of card files know it.
fn plain(holds: &str, of: &str) -> String {
    let mut text = holds.replace("super::", "").replace("Self", of);
    for set in ["Types", "Keywords", "Colours"] {
        text = text.replace(set, &format!("[{}, …]", set.trim_end_matches('s')));
    }
    for (from, to) in
        [("bool", "true or false"), ("String", "text"), ("u8", "number"), ("i8", "number")]
    {
        text = text.replace(from, to);
    }
    loop {
        let unboxed = ["Box<", "Option<"].iter().find_map(|wrapper| {
            let start = text.find(wrapper)?;
            let end = text[start..].find('>')? + start;
            let inner = &text[start + wrapper.len()..end];
            // A list inside closes first.
            let nested = inner.contains('<');
            (!nested).then(|| format!("{}{inner}{}", &text[..start], &text[end + 1..]))
        });
        match unboxed {
            Some(unboxed) => text = unboxed,
            None => break,
        }
    }
    while let Some((before, rest)) = text.split_once("Vec<") {
        let Some((inner, after)) = rest.split_once('>') else { break };
        text = format!("{before}[{inner}, …]{after}");
    }
    text
}
