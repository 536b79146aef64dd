//! The characters of a file.

/// The text of a file: UTF-8, UTF-16 with a byte-order mark, or else one character per byte (ISO 8859-1). `None` if the
/// file holds a zero byte, as no text does.
///
/// ```
/// use cuda::text_of;
///
/// assert_eq!(text_of(b"\xef\xbb\xbfint".to_vec()).as_deref(), Some("int"));
/// assert_eq!(text_of(b"\xff\xfei\0".to_vec()).as_deref(), Some("i"));
/// assert_eq!(text_of(b"// caf\xe9".to_vec()).as_deref(), Some("// caf\u{e9}"));
/// assert_eq!(text_of(b"\x7fELF\0".to_vec()), None);
/// ```
pub fn text_of(bytes: Vec<u8>) -> Option<String> {
    let word: Option<fn([u8; 2]) -> u16> = match bytes.get(..2) {
        Some([0xff, 0xfe]) => Some(u16::from_le_bytes),
        Some([0xfe, 0xff]) => Some(u16::from_be_bytes),
        _ => None,
    };
    if let Some(word) = word {
        let words: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| word([pair[0], pair[1]])).collect();
        return Some(String::from_utf16_lossy(&words));
    }
    if bytes.contains(&0) {
        return None;
    }
    let text = String::from_utf8(bytes).unwrap_or_else(|e| e.into_bytes().into_iter().map(char::from).collect());
    Some(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.into(),
        None => text,
    })
}
