//! Export to ONNX, with integer observations as inputs.

use std::path::Path;

use super::protobuf::Message;
use super::write;
use crate::NetError;
use crate::network::{Dense, Network};

/// The versions of ONNX's file format and of its operator set.
const IR_VERSION: u64 = 8;
const OPERATORS: u64 = 17;

/// Element types, `TensorProto.DataType`.
const FLOAT: u64 = 1;
const INT32: u64 = 6;
const INT64: u64 = 7;
const BOOL: u64 = 9;

impl Network {
    /// Writes the network as an ONNX model, atomically.
    ///
    /// Its input `observation`, `[rows, cells]` of 32-bit integers, is what the
    /// game's `observe` writes; its outputs are `policy`, `[rows, actions]`
    /// logits, and `value`, `[rows, seats]` values from -1 to 1, the observer's
    /// first.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn export_onnx(&self, path: &Path) -> Result<(), NetError> {
        write(path, &self.to_onnx())
    }

    fn to_onnx(&self) -> Vec<u8> {
        let mut graph = Graph::default();
        let features = self.onnx_features(&mut graph);
        let names = self.layer_names();
        let heads = 1 + 2 * self.shape().blocks;
        let layer = |graph: &mut Graph, at: usize, input: &str| {
            graph.layer(&names[at], input, &self.layers()[at])
        };
        let outputs = layer(&mut graph, 0, &features);
        let mut trunk = graph.node("Relu", &[&outputs], "trunk", &[]);
        for (block, first) in (1..heads).step_by(2).enumerate() {
            let inner = layer(&mut graph, first, &trunk);
            let inner = graph.node("Relu", &[&inner], &format!("inner{block}"), &[]);
            let outer = layer(&mut graph, first + 1, &inner);
            let sum = graph.node("Add", &[&outer, &trunk], &format!("sum{block}"), &[]);
            trunk = graph.node("Relu", &[&sum], &format!("trunk{block}"), &[]);
        }
        let bottleneck = layer(&mut graph, heads, &trunk);
        let bottleneck = graph.node("Relu", &[&bottleneck], "neck", &[]);
        let logits = layer(&mut graph, heads + 1, &bottleneck);
        graph.node("Identity", &[&logits], "policy", &[]);
        let hidden = layer(&mut graph, heads + 2, &bottleneck);
        let hidden = graph.node("Relu", &[&hidden], "hidden", &[]);
        let values = layer(&mut graph, heads + 3, &hidden);
        graph.node("Tanh", &[&values], "value", &[]);

        let signature = self.signature();
        let graph = Message::default()
            .messages(1, &graph.nodes)
            .text(2, &signature.game)
            .messages(5, &graph.constants)
            .message(11, &matrix("observation", INT32, signature.cells))
            .message(12, &matrix("policy", FLOAT, signature.actions))
            .message(12, &matrix("value", FLOAT, signature.seats));
        Message::default()
            .number(1, IR_VERSION)
            .text(2, "meeple")
            .message(7, &graph)
            .message(8, &Message::default().text(1, "").number(2, OPERATORS))
            .into_bytes()
    }

    /// Adds the encoding of cells as features: counts scaled, categories
    /// one-hot. Returns the name of the features.
    fn onnx_features(&self, graph: &mut Graph) -> String {
        let (mut cells, mut categories) = (vec![], vec![]);
        let (mut factors, mut is_category) = (vec![], vec![]);
        for (cell, category, factor) in self.encoder().features() {
            cells.extend((cell as i64).to_le_bytes());
            categories.extend(category.unwrap_or(0).to_le_bytes());
            factors.extend(factor.to_le_bytes());
            is_category.push(u8::from(category.is_some()));
        }
        let count = [is_category.len()];
        graph.constant("cells", INT64, &count, &cells);
        graph.constant("things", INT32, &count, &categories);
        graph.constant("factors", FLOAT, &count, &factors);
        graph.constant("is_category", BOOL, &count, &is_category);
        let to_float = [number_attribute("to", FLOAT)];
        let spread = ["observation", "cells"];
        let spread = graph.node("Gather", &spread, "spread", &[number_attribute("axis", 1)]);
        let counts = graph.node("Cast", &[&spread], "amounts", &to_float);
        let scaled = graph.node("Mul", &[&counts, "factors"], "scaled", &[]);
        let is_equal = graph.node("Equal", &[&spread, "things"], "is_thing", &[]);
        let one_hot = graph.node("Cast", &[&is_equal], "chosen", &to_float);
        graph.node("Where", &["is_category", &one_hot, &scaled], "features", &[])
    }
}

/// An ONNX graph under construction.
#[derive(Default)]
struct Graph {
    nodes: Vec<Message>,
    constants: Vec<Message>,
}

impl Graph {
    /// Adds a node with one output; returns the output's name.
    fn node(
        &mut self,
        operator: &str,
        inputs: &[&str],
        output: &str,
        attributes: &[Message],
    ) -> String {
        let node = inputs.iter().fold(Message::default(), |node, input| node.text(1, input));
        let node = node.text(2, output).text(3, &format!("{operator}_{output}"));
        self.nodes.push(node.text(4, operator).messages(5, attributes));
        output.to_owned()
    }

    fn constant(&mut self, name: &str, kind: u64, shape: &[usize], data: &[u8]) {
        let tensor =
            shape.iter().fold(Message::default(), |tensor, &size| tensor.number(1, size as u64));
        self.constants.push(tensor.number(2, kind).text(8, name).bytes(9, data));
    }

    /// Adds a fully connected layer; returns the name of its output.
    fn layer(&mut self, name: &str, input: &str, layer: &Dense) -> String {
        let to_bytes =
            |numbers: &[f32]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
        let (weights, bias) = (format!("{name}.weights"), format!("{name}.bias"));
        let shape = [layer.inputs, layer.outputs];
        self.constant(&weights, FLOAT, &shape, &to_bytes(&layer.weights));
        self.constant(&bias, FLOAT, &shape[1..], &to_bytes(&layer.bias));
        self.node("Gemm", &[input, &weights, &bias], &format!("{name}.outputs"), &[])
    }
}

/// Returns an integer attribute.
fn number_attribute(name: &str, value: u64) -> Message {
    // 2 is `AttributeType.INT`.
    Message::default().text(1, name).number(3, value).number(20, 2)
}

/// Returns the type of a matrix with any number of rows, by name.
fn matrix(name: &str, kind: u64, width: usize) -> Message {
    let rows = Message::default().text(2, "rows");
    let columns = Message::default().number(1, width as u64);
    let shape = Message::default().message(1, &rows).message(1, &columns);
    let tensor = Message::default().number(1, kind).message(2, &shape);
    Message::default().text(1, name).message(2, &Message::default().message(1, &tensor))
}
