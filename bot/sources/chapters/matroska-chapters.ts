import { positionOf } from '../../audio/containers/webm-seek.ts'
import { children, find, ID, readElement, readNumber } from '../../audio/containers/webm.ts'
import type { FoundChapter } from '../../tracks/chapters.ts'
import type { RandomAccessBytes } from '../http/random-access.ts'

/** Element IDs of RFC 9559, section 5.1.7. */
const CHAPTERS = 0x1043a770
const EDITION = 0x45b9
const EDITION_HIDDEN = 0x45bd
const EDITION_DEFAULT = 0x45db
const ATOM = 0xb6
const ATOM_START = 0x91
const ATOM_HIDDEN = 0x98
const ATOM_ENABLED = 0x4598
const DISPLAY = 0x80
const DISPLAY_STRING = 0x85

const MAX_BYTES = 1024 * 1024
const HEADER_BYTES = 12
/** Elements of the file that are passed over while looking for its chapters. */
const MOST_ELEMENTS = 40
const MOST_ATOMS = 2000

/** The chapters of a Matroska or WebM file; empty if it has none. @throws where it is damaged. */
export async function readMatroskaChapters(bytes: RandomAccessBytes): Promise<readonly FoundChapter[]> {
  const at = await findChapters(bytes)
  if (at === null) return []
  const read = await bytes.read(at, MAX_BYTES)
  const element = readElement(read, 0)
  if (element?.id !== CHAPTERS || element.sizeBytes === null) return []
  const body = read.subarray(element.headerBytes, element.headerBytes + element.sizeBytes)
  return chaptersOf(body)
}

/** Before the sound, or where the table of contents says. */
async function findChapters(bytes: RandomAccessBytes): Promise<number | null> {
  let at = 0
  let originByte = 0
  for (let count = 0; count < MOST_ELEMENTS; count++) {
    const element = readElement(await bytes.read(at, HEADER_BYTES), 0)
    if (!element || element.id === ID.cluster) return null
    const { id, sizeBytes, headerBytes } = element
    if (id === CHAPTERS) return at
    if (id !== ID.segment && sizeBytes === null) return null
    at += headerBytes
    if (id === ID.segment) originByte = at
    const listed =
      id === ID.seekHead ? positionOf(await bytes.read(at, Math.min(sizeBytes ?? 0, MAX_BYTES)), CHAPTERS) : null
    if (listed !== null) return originByte + listed
    if (id !== ID.segment) at += sizeBytes ?? 0
  }
  return null
}

/** Chapters of the default edition, or else of the first edition that is not hidden. */
function chaptersOf(body: Buffer): readonly FoundChapter[] {
  const editions = [...children(body).take(MOST_ELEMENTS)].flatMap(([id, edition]) => (id === EDITION ? [edition] : []))
  const shown = editions.filter((edition) => !isSet(edition, EDITION_HIDDEN))
  const edition = shown.find((one) => isSet(one, EDITION_DEFAULT)) ?? shown[0]
  const found: FoundChapter[] = []
  let count = 0
  for (const [id, atom] of edition ? children(edition) : []) {
    if (++count > MOST_ATOMS) break
    if (id !== ATOM) continue
    const startNs = readNumber(find(atom, ATOM_START))
    const isOff = readNumber(find(atom, ATOM_ENABLED)) === 0 || isSet(atom, ATOM_HIDDEN)
    if (startNs === null || isOff) continue
    const display = find(atom, DISPLAY)
    const title = (display && find(display, DISPLAY_STRING))?.subarray(0, 1000).toString('utf8') ?? ''
    found.push({ title, startMs: startNs / 1_000_000 })
  }
  return found
}

function isSet(body: Buffer, flag: number): boolean {
  return readNumber(find(body, flag)) === 1
}
