/** A CHAP frame of ID3v2.3 that begins at that second. */
export function chapterFrame(second: number, title: string): Buffer {
  const times = Buffer.alloc(16, 0xff)
  times.writeUInt32BE(second * 1000, 0)
  times.writeUInt32BE(second * 1000 + 1000, 4)
  const name = frame('TIT2', Buffer.concat([Buffer.from([0]), Buffer.from(title, 'latin1')]))
  return frame('CHAP', Buffer.concat([Buffer.from(`c${second}\0`, 'latin1'), times, name]))
}

/** An ID3v2.3 tag and nothing behind it. */
export function id3Tag(frames: readonly Buffer[]): Buffer {
  const body = Buffer.concat(frames)
  const size = Buffer.from([21, 14, 7, 0].map((shift) => (body.length >>> shift) & 0x7f))
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), size, body])
}

function frame(id: string, body: Buffer): Buffer {
  const head = Buffer.alloc(10)
  head.write(id, 'latin1')
  head.writeUInt32BE(body.length, 4)
  return Buffer.concat([head, body])
}
