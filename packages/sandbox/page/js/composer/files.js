/** A file as the controls take it. */
export async function pack(file) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const pieces = []
  for (let at = 0; at < bytes.length; at += 32_768) pieces.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)))
  return { name: file.name, type: file.type || 'application/octet-stream', base64: btoa(pieces.join('')) }
}
