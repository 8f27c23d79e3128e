import { fold } from '../../lib/text.ts'

export interface Book {
  readonly osis: string
  readonly usfm: string
  readonly name: string
}

/** The first of them have the numbers 1 to 66 wherever books have numbers; of the others there is no common count. */
const NUMBERED_BOOKS = 66

/** The books of the Bible in their usual order, then those that not all churches count among them. */
const BOOKS: readonly Book[] = [
  { osis: 'Gen', usfm: 'GEN', name: 'Genesis' },
  { osis: 'Exod', usfm: 'EXO', name: 'Exodus' },
  { osis: 'Lev', usfm: 'LEV', name: 'Leviticus' },
  { osis: 'Num', usfm: 'NUM', name: 'Numbers' },
  { osis: 'Deut', usfm: 'DEU', name: 'Deuteronomy' },
  { osis: 'Josh', usfm: 'JOS', name: 'Joshua' },
  { osis: 'Judg', usfm: 'JDG', name: 'Judges' },
  { osis: 'Ruth', usfm: 'RUT', name: 'Ruth' },
  { osis: '1Sam', usfm: '1SA', name: '1 Samuel' },
  { osis: '2Sam', usfm: '2SA', name: '2 Samuel' },
  { osis: '1Kgs', usfm: '1KI', name: '1 Kings' },
  { osis: '2Kgs', usfm: '2KI', name: '2 Kings' },
  { osis: '1Chr', usfm: '1CH', name: '1 Chronicles' },
  { osis: '2Chr', usfm: '2CH', name: '2 Chronicles' },
  { osis: 'Ezra', usfm: 'EZR', name: 'Ezra' },
  { osis: 'Neh', usfm: 'NEH', name: 'Nehemiah' },
  { osis: 'Esth', usfm: 'EST', name: 'Esther' },
  { osis: 'Job', usfm: 'JOB', name: 'Job' },
  { osis: 'Ps', usfm: 'PSA', name: 'Psalms' },
  { osis: 'Prov', usfm: 'PRO', name: 'Proverbs' },
  { osis: 'Eccl', usfm: 'ECC', name: 'Ecclesiastes' },
  { osis: 'Song', usfm: 'SNG', name: 'Song of Solomon' },
  { osis: 'Isa', usfm: 'ISA', name: 'Isaiah' },
  { osis: 'Jer', usfm: 'JER', name: 'Jeremiah' },
  { osis: 'Lam', usfm: 'LAM', name: 'Lamentations' },
  { osis: 'Ezek', usfm: 'EZK', name: 'Ezekiel' },
  { osis: 'Dan', usfm: 'DAN', name: 'Daniel' },
  { osis: 'Hos', usfm: 'HOS', name: 'Hosea' },
  { osis: 'Joel', usfm: 'JOL', name: 'Joel' },
  { osis: 'Amos', usfm: 'AMO', name: 'Amos' },
  { osis: 'Obad', usfm: 'OBA', name: 'Obadiah' },
  { osis: 'Jonah', usfm: 'JON', name: 'Jonah' },
  { osis: 'Mic', usfm: 'MIC', name: 'Micah' },
  { osis: 'Nah', usfm: 'NAM', name: 'Nahum' },
  { osis: 'Hab', usfm: 'HAB', name: 'Habakkuk' },
  { osis: 'Zeph', usfm: 'ZEP', name: 'Zephaniah' },
  { osis: 'Hag', usfm: 'HAG', name: 'Haggai' },
  { osis: 'Zech', usfm: 'ZEC', name: 'Zechariah' },
  { osis: 'Mal', usfm: 'MAL', name: 'Malachi' },
  { osis: 'Matt', usfm: 'MAT', name: 'Matthew' },
  { osis: 'Mark', usfm: 'MRK', name: 'Mark' },
  { osis: 'Luke', usfm: 'LUK', name: 'Luke' },
  { osis: 'John', usfm: 'JHN', name: 'John' },
  { osis: 'Acts', usfm: 'ACT', name: 'Acts' },
  { osis: 'Rom', usfm: 'ROM', name: 'Romans' },
  { osis: '1Cor', usfm: '1CO', name: '1 Corinthians' },
  { osis: '2Cor', usfm: '2CO', name: '2 Corinthians' },
  { osis: 'Gal', usfm: 'GAL', name: 'Galatians' },
  { osis: 'Eph', usfm: 'EPH', name: 'Ephesians' },
  { osis: 'Phil', usfm: 'PHP', name: 'Philippians' },
  { osis: 'Col', usfm: 'COL', name: 'Colossians' },
  { osis: '1Thess', usfm: '1TH', name: '1 Thessalonians' },
  { osis: '2Thess', usfm: '2TH', name: '2 Thessalonians' },
  { osis: '1Tim', usfm: '1TI', name: '1 Timothy' },
  { osis: '2Tim', usfm: '2TI', name: '2 Timothy' },
  { osis: 'Titus', usfm: 'TIT', name: 'Titus' },
  { osis: 'Phlm', usfm: 'PHM', name: 'Philemon' },
  { osis: 'Heb', usfm: 'HEB', name: 'Hebrews' },
  { osis: 'Jas', usfm: 'JAS', name: 'James' },
  { osis: '1Pet', usfm: '1PE', name: '1 Peter' },
  { osis: '2Pet', usfm: '2PE', name: '2 Peter' },
  { osis: '1John', usfm: '1JN', name: '1 John' },
  { osis: '2John', usfm: '2JN', name: '2 John' },
  { osis: '3John', usfm: '3JN', name: '3 John' },
  { osis: 'Jude', usfm: 'JUD', name: 'Jude' },
  { osis: 'Rev', usfm: 'REV', name: 'Revelation' },
  { osis: 'Tob', usfm: 'TOB', name: 'Tobit' },
  { osis: 'Jdt', usfm: 'JDT', name: 'Judith' },
  { osis: 'GkEsth', usfm: 'ESG', name: 'Esther (Greek)' },
  { osis: 'Wis', usfm: 'WIS', name: 'Wisdom' },
  { osis: 'Sir', usfm: 'SIR', name: 'Sirach' },
  { osis: 'Bar', usfm: 'BAR', name: 'Baruch' },
  { osis: 'EpJer', usfm: 'LJE', name: 'Letter of Jeremiah' },
  { osis: 'PrAzar', usfm: 'S3Y', name: 'Prayer of Azariah' },
  { osis: 'Sus', usfm: 'SUS', name: 'Susanna' },
  { osis: 'Bel', usfm: 'BEL', name: 'Bel and the Dragon' },
  { osis: '1Macc', usfm: '1MA', name: '1 Maccabees' },
  { osis: '2Macc', usfm: '2MA', name: '2 Maccabees' },
  { osis: '3Macc', usfm: '3MA', name: '3 Maccabees' },
  { osis: '4Macc', usfm: '4MA', name: '4 Maccabees' },
  { osis: '1Esd', usfm: '1ES', name: '1 Esdras' },
  { osis: '2Esd', usfm: '2ES', name: '2 Esdras' },
  { osis: 'PrMan', usfm: 'MAN', name: 'Prayer of Manasseh' },
  { osis: 'AddPs', usfm: 'PS2', name: 'Psalm 151' },
]

const BY_USFM: ReadonlyMap<string, Book> = new Map(BOOKS.map((book) => [book.usfm, book]))
const BY_OSIS: ReadonlyMap<string, Book> = new Map(BOOKS.map((book) => [book.osis.toLowerCase(), book]))
const BY_NAME: ReadonlyMap<string, Book> = new Map(BOOKS.map((book) => [foldName(book.name), book]))

export const bookByUsfm = (id: string): Book | undefined => BY_USFM.get(id.toUpperCase())
export const bookByOsis = (code: string): Book | undefined => BY_OSIS.get(code.toLowerCase())
const bookByName = (name: string): Book | undefined => BY_NAME.get(foldName(name))

/** The book of a number of the usual count; beyond it by its name alone. */
export function bookByNumber(number: number, name: string): Book | undefined {
  return number >= 1 && number <= NUMBERED_BOOKS ? BOOKS[number - 1] : bookByName(name)
}

/** A book's name without case, accents, dots and spaces, and with digits for the ways in which numbers are written. */
export function foldName(name: string): string {
  return fold(name)
    .replace(/^(?:(?:iii|third|3rd)\b)/u, '3')
    .replace(/^(?:(?:ii|second|2nd)\b)/u, '2')
    .replace(/^(?:(?:i|first|1st)\b)/u, '1')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
