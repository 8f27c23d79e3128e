/** The last frame of a message, and text (RFC 6455, 5.2). */
const FINAL_TEXT = 0x81
const LONG = 126
const LONGER = 127

/** A whole text message as a server writes it: unmasked, in one frame. */
export function frameOf(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const headBytes = length < LONG ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(headBytes + length)
  frame[0] = FINAL_TEXT
  if (headBytes === 2) frame[1] = length
  else frame[1] = headBytes === 4 ? LONG : LONGER
  if (headBytes === 4) frame.writeUInt16BE(length, 2)
  else if (headBytes === 10) frame.writeBigUInt64BE(BigInt(length), 2)
  frame.write(text, headBytes)
  return frame
}
