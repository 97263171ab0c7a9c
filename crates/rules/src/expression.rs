//! Parses expressions: sets, numbers and conditions share one grammar.

use crate::cursor::{Cursor, Parsed, Reported};
use crate::lexer::{MAX_NESTING, Token};
use crate::syntax::{Expr, ExprKind, Name, Op, Range, Way, Whose, Word};

/// The names of directions.
pub(crate) const WAYS: [(&str, Way); 10] = [
    ("north", Way::Compass(0, 1)),
    ("northeast", Way::Compass(1, 1)),
    ("east", Way::Compass(1, 0)),
    ("southeast", Way::Compass(1, -1)),
    ("south", Way::Compass(0, -1)),
    ("southwest", Way::Compass(-1, -1)),
    ("west", Way::Compass(-1, 0)),
    ("northwest", Way::Compass(-1, 1)),
    ("ahead", Way::Ahead),
    ("back", Way::Back),
];

const COMPARISONS: [(&str, Op); 6] =
    [("=", Op::Eq), ("!=", Op::Ne), ("<=", Op::Le), (">=", Op::Ge), ("<", Op::Lt), (">", Op::Gt)];

/// The operators of a sum.
const SUMS: &[(&str, Op)] = &[("+", Op::Add), ("-", Op::Sub)];
/// The operators of a product.
const PRODUCTS: &[(&str, Op)] = &[("*", Op::Mul), ("/", Op::Div)];

impl Cursor<'_> {
    /// Parses an expression.
    pub(crate) fn expr(&mut self) -> Parsed<Expr> {
        self.or()
    }

    /// Counts the nesting, so that no input exhausts the stack.
    fn nested(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<Expr>) -> Parsed<Expr> {
        if self.nesting == MAX_NESTING {
            let span = self.span();
            self.problems.add(span, format!("expressions are nested more than {MAX_NESTING} deep"));
            return Err(Reported);
        }
        self.nesting += 1;
        let parsed = parse(self);
        self.nesting -= 1;
        parsed
    }

    fn or(&mut self) -> Parsed<Expr> {
        let mut left = self.and()?;
        while self.eat(&["or"]) {
            left = binary(Op::Or, left, self.and()?);
        }
        Ok(left)
    }

    fn and(&mut self) -> Parsed<Expr> {
        let mut left = self.not()?;
        while self.eat(&["and"]) {
            left = binary(Op::And, left, self.not()?);
        }
        Ok(left)
    }

    fn not(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if self.eat(&["no"]) || self.eat(&["not"]) {
            let inner = self.nested(Self::not)?;
            let span = self.since(start);
            return Ok(Expr { kind: ExprKind::Not(Box::new(inner)), span });
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Parsed<Expr> {
        let left = self.sum()?;
        for (sign, op) in COMPARISONS {
            if self.eat_sign(sign) {
                return Ok(binary(op, left, self.sum()?));
            }
        }
        if self.eat(&["has"]) {
            let right = self.sum()?;
            return Ok(call(Word::Has, vec![left, right]));
        }
        if self.eat(&["joins"]) {
            let right = self.sum()?;
            return Ok(call(Word::Joins, vec![left, right]));
        }
        Ok(left)
    }

    /// Parses operands joined by operators of equal precedence, from left to right.
    fn joined(
        &mut self,
        operators: &[(&str, Op)],
        operand: fn(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        let mut left = operand(self)?;
        loop {
            let Some(Token::Sign(sign)) = self.peek() else { return Ok(left) };
            let Some(&(_, op)) = operators.iter().find(|(known, _)| known == sign) else {
                return Ok(left);
            };
            self.skip();
            left = binary(op, left, operand(self)?);
        }
    }

    fn sum(&mut self) -> Parsed<Expr> {
        self.joined(SUMS, Self::product)
    }

    fn product(&mut self) -> Parsed<Expr> {
        self.joined(PRODUCTS, Self::set)
    }

    /// Parses `S on T`, `S minus T`, `S flanking T`, `S with A..B heap`.
    fn set(&mut self) -> Parsed<Expr> {
        let mut left = self.primary()?;
        loop {
            if self.eat(&["on"]) {
                left = binary(Op::And, left, self.primary()?);
            } else if self.eat(&["minus"]) {
                left = binary(Op::Minus, left, self.primary()?);
            } else if self.eat(&["flanking"]) {
                let right = self.primary()?;
                left = call(Word::Flanking, vec![left, right]);
            } else if self.eat(&["enclosed", "by"]) {
                let right = self.primary()?;
                left = call(Word::Enclosed, vec![left, right]);
            } else if self.eat(&["with"]) {
                let Range { low, high } = self.range()?;
                let heap = self.heap()?;
                left = call(Word::With, vec![left, low, high, heap]);
            } else {
                return Ok(left);
            }
        }
    }

    /// Parses the name of a heap, with `their` or `my` before it.
    fn heap(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let whose = self.one_of(&[("my", Whose::My), ("their", Whose::Their), ("any", Whose::Any)]);
        let heap = self.name("the name of a heap")?;
        Ok(match whose {
            Some(whose) => Expr { kind: ExprKind::Of(whose, heap), span },
            None => named(heap),
        })
    }

    /// Parses a range `A..B`; a number alone is a range of one.
    pub(crate) fn range(&mut self) -> Parsed<Range> {
        let low = self.amount()?;
        let high = if self.eat_sign("..") { self.amount()? } else { low.clone() };
        Ok(Range { low, high })
    }

    /// Parses a number: names, integers and arithmetic, without set operations.
    pub(crate) fn amount(&mut self) -> Parsed<Expr> {
        self.joined(SUMS, Self::factor)
    }

    fn factor(&mut self) -> Parsed<Expr> {
        self.joined(PRODUCTS, Self::primary)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut parsed = self.nested(Self::atom)?;
        parsed.span = self.since(start);
        Ok(parsed)
    }

    /// Reads words about dice, and about the places of sites.
    fn dice_or_places(&mut self) -> Option<Word> {
        let words: [(&[&str], Word); 9] = [
            (&["dice", "left"], Word::DiceLeft),
            (&["total", "of", "dice"], Word::DiceTotal),
            (&["dice", "showing"], Word::DiceShowing),
            (&["doubles"], Word::Doubles),
            (&["pairs", "of", "dice"], Word::Pairs),
            (&["rows", "of"], Word::RowsOf),
            (&["columns", "of"], Word::ColumnsOf),
            (&["row", "number", "of"], Word::RowNumber),
            (&["column", "number", "of"], Word::ColumnNumber),
        ];
        words.into_iter().find(|(words, _)| self.eat(words)).map(|(_, word)| word)
    }

    fn atom(&mut self) -> Parsed<Expr> {
        let span = self.span();
        if let Some(&Token::Int(value)) = self.peek() {
            self.skip();
            return Ok(Expr { kind: ExprKind::Int(value), span });
        }
        if self.eat_sign("-") {
            let inner = self.primary()?;
            return Ok(binary(Op::Sub, Expr { kind: ExprKind::Int(0), span }, inner));
        }
        if self.eat_sign("(") {
            let inner = self.expr()?;
            self.expect_sign(")")?;
            return Ok(inner);
        }
        if let Some(word) = self.dice_or_places() {
            return Ok(match word {
                Word::DiceLeft | Word::DiceTotal | Word::Doubles | Word::Pairs => {
                    call_at(word, span)
                }
                _ => {
                    let of = self.primary()?;
                    call(word, vec![of])
                }
            });
        }
        if self.eat(&["row"]) || self.eat(&["rows"]) {
            let Range { low, high } = self.range()?;
            return Ok(call(Word::Rows, vec![low, high]));
        }
        if self.eat(&["column"]) || self.eat(&["columns"]) {
            let Range { low, high } = self.range()?;
            return Ok(call(Word::Columns, vec![low, high]));
        }
        if self.eat(&["around"]) {
            let of = self.primary()?;
            return Ok(call(Word::Around, vec![of]));
        }
        if self.eat(&["opposite"]) {
            let of = self.primary()?;
            return Ok(call(Word::Opposite, vec![of]));
        }
        if self.eat(&["block", "of"]) {
            let of = self.primary()?;
            return Ok(call(Word::Block, vec![of]));
        }
        if self.eat(&["block", "for"]) {
            let of = self.primary()?;
            return Ok(call(Word::BlockFor, vec![of]));
        }
        if self.eat(&["attacked"]) {
            self.expect("by")?;
            let whose = [("mine", Whose::My), ("theirs", Whose::Their)];
            let Some(whose) = self.one_of(&whose) else {
                return self.wrong("`mine` or `theirs`", &["mine", "theirs"]);
            };
            return Ok(call_at(Word::Attacked(whose), span));
        }
        if self.eat(&["position", "repeated"]) {
            return Ok(call_at(Word::Repeated, span));
        }
        if self.eat(&["count", "of"]) {
            let of = self.set()?;
            return Ok(call(Word::Count, vec![of]));
        }
        if self.eat(&["highest", "of"]) {
            let of = self.primary()?;
            return Ok(call(Word::Highest, vec![of]));
        }
        if self.eat(&["same", "suit", "as"]) {
            let of = self.primary()?;
            return Ok(call(Word::SameSuit, vec![of]));
        }
        if self.eat(&["best", "of"]) {
            let mut arguments = vec![self.primary()?];
            self.expect("by")?;
            arguments.push(self.primary()?);
            while self.eat_sign(",") {
                arguments.push(self.primary()?);
            }
            return Ok(call(Word::Best, arguments));
        }
        if self.eat(&["worth", "of"]) {
            let of = self.primary()?;
            return Ok(call(Word::Worth, vec![of]));
        }
        if self.eat(&["rank"]) {
            let rank = crate::parser::card(self)?;
            return Ok(call(Word::Rank, vec![named(rank)]));
        }
        if self.eat(&["players", "left"]) {
            return Ok(call_at(Word::PlayersLeft, span));
        }
        if self.eat(&["one", "player", "left"]) {
            return Ok(call_at(Word::OneLeft, span));
        }
        if self.eat(&["whether"]) {
            let condition = self.primary()?;
            return Ok(call(Word::Whether, vec![condition]));
        }
        if self.eat(&["total"]) {
            let of = self.primary()?;
            return Ok(call(Word::Total, vec![of]));
        }
        if self.eat(&["same", "rank", "as"]) {
            let of = self.primary()?;
            return Ok(call(Word::SameRank, vec![of]));
        }
        if self.eat(&["line", "of"]) {
            let mut arguments = vec![self.amount()?];
            if self.eat(&["in"]) {
                arguments.push(self.primary()?);
            }
            return Ok(call(Word::Line, arguments));
        }
        if self.eat(&["reach", "of"]) {
            let from = self.primary()?;
            self.expect("through")?;
            let through = self.primary()?;
            return Ok(call(Word::Reach, vec![from, through]));
        }
        if self.eat(&["run", "back", "from"]) {
            let from = self.primary()?;
            self.expect("through")?;
            let through = self.primary()?;
            return Ok(call(Word::RunBack, vec![from, through]));
        }
        if self.eat(&["next", "player", "stuck"]) {
            return Ok(call_at(Word::Stuck, span));
        }
        if self.eat(&["everybody", "stuck"]) {
            return Ok(call_at(Word::EverybodyStuck, span));
        }
        if self.eat(&["board", "full"]) {
            return Ok(call_at(Word::BoardFull, span));
        }
        if self.eat(&["all"]) {
            let heap = self.name("the name of a heap")?;
            return Ok(call(Word::All, vec![named(heap)]));
        }
        if matches!(self.word(1), Some("of" | "edge" | "point"))
            && let Some(way) = self.one_of(&WAYS)
        {
            if self.eat(&["edge"]) {
                return Ok(call_at(Word::Edge(way), span));
            }
            if self.eat(&["point"]) {
                return Ok(call_at(Word::Point(way), span));
            }
            self.expect("of")?;
            let of = self.primary()?;
            return Ok(call(Word::Neighbour(way), vec![of]));
        }
        let whose = [("my", Whose::My), ("their", Whose::Their), ("any", Whose::Any)];
        if let Some(whose) = self.one_of(&whose) {
            let name = self.name("a name")?;
            return Ok(Expr { kind: ExprKind::Of(whose, name), span });
        }
        match self.word(0) {
            Some(word) => {
                self.skip();
                Ok(Expr { kind: ExprKind::Name(word.into()), span })
            }
            None => self.wrong("a set, a number or a condition", &[]),
        }
    }
}

pub(crate) fn named(name: Name) -> Expr {
    Expr { kind: ExprKind::Name(name.text), span: name.span }
}

fn binary(op: Op, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}

fn call(word: Word, arguments: Vec<Expr>) -> Expr {
    let span = arguments.first().map_or_else(Default::default, |first| first.span);
    let span = arguments.last().map_or(span, |last| span.to(last.span));
    Expr { kind: ExprKind::Call(word, arguments), span }
}

fn call_at(word: Word, span: crate::errors::Span) -> Expr {
    Expr { kind: ExprKind::Call(word, Vec::new()), span }
}
