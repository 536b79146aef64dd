//! What the engine asks of the browser: bytes of files, random numbers, and marks on its clock.

use crate::error;
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, Performance, ReadableStreamDefaultReader, WorkerGlobalScope};

/// Packed bytes can stand for a thousand times as many: a step must not take a whole chunk of a stream.
const PIECE: u32 = 64 << 10;

/// A file that is read chunk by chunk and handed out piece by piece. It never holds more than one chunk.
#[wasm_bindgen]
pub struct FileStream {
    reader: ReadableStreamDefaultReader,
    chunk: Uint8Array,
    /// Bytes of the chunk that were handed out.
    at: u32,
    piece: Vec<u8>,
}

#[wasm_bindgen]
impl FileStream {
    /// Opens the stream of a file.
    #[wasm_bindgen(constructor)]
    pub fn new(file: &File) -> Result<FileStream, JsValue> {
        let reader = file.stream().get_reader().dyn_into()?;
        Ok(Self { reader, chunk: Uint8Array::new_with_length(0), at: 0, piece: Vec::new() })
    }

    /// Waits for the next chunk; false at the end of the file.
    pub async fn next(&mut self) -> Result<bool, JsValue> {
        let part = JsFuture::from(self.reader.read()).await?;
        if Reflect::get(&part, &"done".into())?.is_truthy() {
            return Ok(false);
        }
        self.chunk = Reflect::get(&part, &"value".into())?.dyn_into()?;
        self.at = 0;
        Ok(true)
    }

    /// Reads no further.
    pub async fn cancel(&mut self) -> Result<(), JsValue> {
        JsFuture::from(self.reader.cancel()).await.map(drop)
    }
}

impl FileStream {
    /// Gives the next piece of the chunk to `push`; its length, 0 when all of the chunk was handed out.
    pub fn hand(&mut self, push: impl FnOnce(&[u8])) -> u32 {
        let end = self.chunk.length().min(self.at + PIECE);
        let length = end - self.at;
        if length > 0 {
            self.piece.resize(length as usize, 0);
            self.chunk.subarray(self.at, end).copy_to(&mut self.piece);
            self.at = end;
            push(&self.piece);
        }
        length
    }
}

/// A seed from 1 to `most`, drawn by the browser's own source of chance. Whatever is computed from it depends on the seed alone.
#[wasm_bindgen]
pub fn draw_seed(most: u32) -> Result<u32, JsValue> {
    let drawn =
        getrandom::u32().map_err(|e| error("seed", "random numbers of the browser", &e.to_string(), "type a seed"))?;
    Ok(1 + ((u64::from(drawn) * u64::from(most)) >> 32) as u32)
}

/// A stretch of work, which the browser's performance tools show under its name. A new one takes the place of the last.
pub fn begin(name: &str) {
    if let Some(clock) = clock() {
        clock.clear_marks_with_mark_name(name);
        clock.clear_measures_with_measure_name(name);
        // A browser that refuses a mark only does not show it.
        clock.mark(name).ok();
    }
}

/// Ends the stretch of this name.
pub fn end(name: &str) {
    clock().and_then(|clock| clock.measure_with_start_mark(name, name).ok());
}

/// The clock of the worker; node, which runs the tests, has one in the same place.
fn clock() -> Option<Performance> {
    js_sys::global().unchecked_into::<WorkerGlobalScope>().performance()
}
