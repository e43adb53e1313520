//! The picture as SVG: layers from the start down, by the method of Sugiyama, Tagawa and Toda ("Methods for visual understanding of
//! hierarchical system structures", IEEE Transactions on Systems, Man and Cybernetics 11(2), 1981).

use std::fmt::Write;

use rust_sugiyama::{configure::Config, from_vertices_and_edges};

use super::{Drawing, Edge, Line, Node, NodeKind};

/// Lengths in pixels.
const CHARACTER_WIDTH: f64 = 8.0;
const NODE_HEIGHT: f64 = 30.0;
const NODE_MARGIN: f64 = 24.0;
const LAYER_DISTANCE: f64 = 62.0;
const SPACING: f64 = 24.0;
const BORDER: f64 = 24.0;
const LANE: f64 = 12.0;

/// A node with its place: the middle of it.
struct Placed<'a> {
    node: &'a Node,
    x: f64,
    y: f64,
    width: f64,
}

pub(super) fn write(drawing: &Drawing) -> String {
    let placed = place(drawing);
    let nodes_end = placed.iter().map(|node| node.x + node.width / 2.0).fold(0.0, f64::max);
    let back = drawing.edges.iter().filter(|edge| leads_up(edge, &placed)).count();
    let right = nodes_end + back as f64 * LANE + BORDER;
    let bottom = placed.iter().map(|node| node.y + NODE_HEIGHT / 2.0).fold(0.0, f64::max) + BORDER;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {right:.0} {bottom:.0}\" width=\"{right:.0}\" height=\"{bottom:.0}\" \
         font-family=\"sans-serif\" font-size=\"14\">\n<title>{}</title>\n\
         <defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" \
         orient=\"auto\"><path d=\"M0 0 10 5 0 10z\" fill=\"#64748b\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        drawing.name
    );
    let mut lane = nodes_end;
    for edge in &drawing.edges {
        if leads_up(edge, &placed) {
            lane += LANE;
        }
        write_edge(&mut svg, edge, &placed, lane);
    }
    for node in &placed {
        write_node(&mut svg, node);
    }
    svg.push_str("</svg>\n");
    svg
}

fn place(drawing: &Drawing) -> Vec<Placed<'_>> {
    let width = |node: &Node| node.label.chars().count() as f64 * CHARACTER_WIDTH + NODE_MARGIN;
    let vertices: Vec<(u32, (f64, f64))> =
        (0..).zip(drawing.nodes.iter().map(|node| (width(node), NODE_HEIGHT))).collect();
    let edges = onwards(drawing);
    let config = Config { vertex_spacing: SPACING, ..Config::default() };
    let mut places = vec![(0.0, 0.0); vertices.len()];
    let mut left = 0.0;
    // A flow is in one piece, so there is one layout.
    for (layout, piece_width, _) in from_vertices_and_edges(&vertices, &edges, &config) {
        for (vertex, (x, y)) in layout {
            places[vertex] = (left + x, y);
        }
        left += piece_width;
    }
    let mut layers: Vec<f64> = places.iter().map(|(_, y)| *y).collect();
    layers.sort_by(f64::total_cmp);
    layers.dedup_by(|one, other| (*one - *other).abs() < 1.0);
    // The start is on top, whichever way the layers are counted.
    if drawing
        .nodes
        .iter()
        .zip(&places)
        .any(|(node, (_, y))| node.kind == NodeKind::Start && *y > layers[layers.len() / 2])
    {
        layers.reverse();
    }
    let layer = |y: f64| layers.iter().position(|layer| (layer - y).abs() < 1.0).unwrap_or_default() as f64;
    let least = drawing
        .nodes
        .iter()
        .zip(&places)
        .map(|(node, (x, _))| x - width(node) / 2.0)
        .fold(f64::INFINITY, f64::min);
    let placed = drawing.nodes.iter().zip(&places).map(|(node, (x, y))| Placed {
        node,
        x: x - least + BORDER,
        y: layer(*y) * LAYER_DISTANCE + NODE_HEIGHT / 2.0 + BORDER,
        width: width(node),
    });
    placed.collect()
}

/// The edges, with those turned round that lead back to where the way came from: so there are no circles, and the start is on top.
fn onwards(drawing: &Drawing) -> Vec<(u32, u32)> {
    let mut edges = Vec::new();
    let mut visits = vec![Visit::New; drawing.nodes.len()];
    for node in 0..drawing.nodes.len() {
        visit(drawing, node, &mut visits, &mut edges);
    }
    edges
}

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    New,
    OnTheWay,
    Done,
}

fn visit(drawing: &Drawing, node: usize, visits: &mut [Visit], edges: &mut Vec<(u32, u32)>) {
    if visits[node] != Visit::New {
        return;
    }
    visits[node] = Visit::OnTheWay;
    for edge in drawing.edges.iter().filter(|edge| edge.from == node) {
        let leads_back = visits[edge.to] == Visit::OnTheWay;
        let (from, to) = if leads_back { (edge.to, edge.from) } else { (edge.from, edge.to) };
        edges.push((from as u32, to as u32));
        visit(drawing, edge.to, visits, edges);
    }
    visits[node] = Visit::Done;
}

fn leads_up(edge: &Edge, placed: &[Placed<'_>]) -> bool {
    placed[edge.to].y <= placed[edge.from].y
}

/// Draws an edge; one that leads up goes round by a lane beside all nodes.
fn write_edge(svg: &mut String, edge: &Edge, placed: &[Placed<'_>], lane: f64) {
    let (from, to) = (&placed[edge.from], &placed[edge.to]);
    let style = match edge.line {
        Line::Always => "stroke-width=\"1.5\"",
        Line::Perhaps => "stroke-width=\"1.5\" stroke-dasharray=\"4 3\"",
        Line::Many => "stroke-width=\"3\"",
    };
    let half = NODE_HEIGHT / 2.0;
    let path = if leads_up(edge, placed) {
        let (start, end) = (from.x + from.width / 4.0, to.x + to.width / 4.0);
        let (bottom, top) = (from.y + half, to.y - half);
        let (below, above) = (bottom + LANE, top - LANE);
        format!("M{start:.1} {bottom:.1}V{below:.1}H{lane:.1}V{above:.1}H{end:.1}V{top:.1}")
    } else {
        let (top, bottom) = (from.y + half, to.y - half);
        let middle = f64::midpoint(top, bottom);
        format!(
            "M{:.1} {top:.1}C{:.1} {middle:.1} {:.1} {middle:.1} {:.1} {bottom:.1}",
            from.x, from.x, to.x, to.x
        )
    };
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"#64748b\" {style} marker-end=\"url(#arrow)\"/>"
    );
}

fn write_node(svg: &mut String, placed: &Placed<'_>) {
    let Placed { node, x, y, width } = placed;
    let (fill, stroke, radius) = match node.kind {
        NodeKind::Step => ("#dbeafe", "#2563eb", 4.0),
        NodeKind::Event => ("#f8fafc", "#cbd5e1", NODE_HEIGHT / 2.0),
        NodeKind::Start => ("#dcfce7", "#16a34a", NODE_HEIGHT / 2.0),
        NodeKind::Stop => ("#fee2e2", "#dc2626", NODE_HEIGHT / 2.0),
        NodeKind::Person => ("#fef9c3", "#ca8a04", NODE_HEIGHT / 2.0),
    };
    let (left, top) = (x - width / 2.0, y - NODE_HEIGHT / 2.0);
    let title = if node.description.is_empty() {
        String::new()
    } else {
        format!("<title>{}</title>", escape(node.description))
    };
    let _ = writeln!(
        svg,
        "<g>{title}<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{NODE_HEIGHT:.1}\" rx=\"{radius:.1}\" fill=\"{fill}\" \
         stroke=\"{stroke}\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text></g>",
        y + 5.0,
        escape(&node.label)
    );
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
