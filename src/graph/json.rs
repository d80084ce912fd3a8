//! JSON adjacency, read in one pass: 10^7 edges as a tree of JSON values would take a gigabyte.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};

use super::GraphError;
use super::read::Builder;

/// Reads an object of lists or a list of lists.
pub(super) fn read(text: &str) -> Result<Builder, GraphError> {
    let mut builder = Builder::for_text(text.len());
    let mut json = serde_json::Deserializer::from_str(text);
    let lists = json.deserialize_any(Adjacency(&mut builder)).and_then(|lists| json.end().map(|()| lists));
    let lists = lists.map_err(|error| GraphError::Json(format!("the graph is not JSON adjacency: {error}")))?;
    if let Some(&(vertex, _)) = builder.edges.iter().find(|(from, to)| from == to) {
        return Err(GraphError::Loop(builder.names.get(vertex).to_owned()));
    }
    // In a list of lists the vertices are the indices, and each of them has made its vertex.
    if let Some(lists) = lists.filter(|&lists| builder.names.len() as u64 > lists) {
        let is_index = |name: &str| name.parse::<u64>().is_ok_and(|index| index < lists && index.to_string() == name);
        let mut names = (0..builder.names.len() as u32).map(|v| builder.names.get(v));
        let outside = names.find(|name| !is_index(name)).expect("more names than indices");
        return Err(GraphError::Json(format!(
            "`{outside}` is no vertex: a list of {lists} lists has the vertices 0 to {}",
            lists as i128 - 1
        )));
    }
    Ok(builder)
}

/// The whole file; for a list of lists, how many they are.
struct Adjacency<'a>(&'a mut Builder);

impl<'de> Visitor<'de> for Adjacency<'_> {
    type Value = Option<u64>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object or a list of lists")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<u64>, A::Error> {
        while let Some(from) = map.next_key_seed(Vertex(self.0))? {
            map.next_value_seed(Options { from: From::Vertex(from), builder: self.0 })?;
        }
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Option<u64>, A::Error> {
        let mut index = 0;
        while seq.next_element_seed(Options { from: From::Index(index), builder: self.0 })?.is_some() {
            index += 1;
        }
        Ok(Some(index))
    }
}

/// Whose options a list holds. The vertex of an index is made when its list is there, so that the end of the file
/// makes none.
enum From {
    Vertex(u32),
    Index(u64),
}

/// The options of one vertex.
struct Options<'a> {
    from: From,
    builder: &'a mut Builder,
}

impl<'de> DeserializeSeed<'de> for Options<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Options<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the list of a vertex's options")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let from = match self.from {
            From::Vertex(vertex) => vertex,
            From::Index(index) => Vertex(self.builder).visit_u64(index)?,
        };
        while let Some(to) = seq.next_element_seed(Vertex(self.builder))? {
            self.builder.edges.push((from, to));
        }
        Ok(())
    }
}

/// One vertex: a string or a number.
struct Vertex<'a>(&'a mut Builder);

impl<'de> DeserializeSeed<'de> for Vertex<'_> {
    type Value = u32;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<u32, D::Error> {
        json.deserialize_any(self)
    }
}

impl Visitor<'_> for Vertex<'_> {
    type Value = u32;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a vertex: a string or a non-negative integer")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<u32, E> {
        self.0.vertex(name).map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u32, E> {
        self.visit_str(&number.to_string())
    }
}
