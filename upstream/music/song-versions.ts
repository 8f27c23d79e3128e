/**
 * Words by which uploads tell which version of a song they are, in groups of one meaning. Compared with folded text: lower
 * case, without accents and signs.
 */
const VERSIONS = [
  ['live', 'en vivo', 'ao vivo', 'dal vivo', 'in concert', 'en concert', 'концерт', 'концерте', 'вживую', 'unplugged'],
  ['bbc session', 'live session', 'live lounge', 'tiny desk', 'peel session', 'kexp'],
  ['remix', 'rmx', 'bootleg', 'mashup', 'mash up', 'rework', 'refix', 'club mix', 'extended', 'ремикс', 'megamix'],
  ['slowed', 'reverb', 'sped', 'speed up', 'sped up', 'speed', 'nightcore', 'daycore', 'chipmunk'],
  ['8d', 'bass boosted', 'lofi', 'lo fi', '8 bit', '8bit', 'chiptune', 'music box', 'orchestral', 'synthwave version'],
  ['acoustic', 'acustica', 'acustico', 'acoustique', 'akustik', 'акустика', 'piano version', 'stripped'],
  ['instrumental', 'instrumentale', 'инструментал', 'off vocal', 'type beat'],
  ['acapella', 'a cappella', 'a capella', 'vocals only', 'isolated vocals'],
  ['demo', 'rehearsal', 'outtake', 'alternate take', 'early version'],
  ['reprise', 'intro', 'outro', 'interlude', 'teaser', 'trailer', 'snippet', 'preview'],
  ['reaction', 'lesson', 'tutorial', 'parody', 'parodia', 'how to play', 'making of', 'behind the scenes', 'explained'],
  ['dance practice', 'choreography', 'full album', 'hour', 'hours', 'review'],
  ['taylor s version', 're recorded', 'rerecorded'],
] as const
/** The same for words that channels have in their names. */
const CHANNEL_VERSIONS = [
  [
    'cover',
    'covers',
    'covered',
    'tribute',
    'in the style of',
    'originally performed',
    'made famous',
    'кавер',
    'coverversion',
  ],
  ['string quartet', 'lullaby', '8 bit', 'nightcore', 'music box', 'piano covers', 'lofi'],
  ['karaoke', 'backing track', 'backing tracks', 'sing along', 'minus one', 'караоке', 'минус', 'playback'],
] as const
/** Scripts without spaces between words, so the text itself is searched. */
const UNSPACED = [
  ['ライブ', '現場', '现场', '演唱会', '演唱會', '라이브', '현장'],
  ['歌ってみた', '弾いてみた', 'カバー', '翻唱', '커버', 'แปลง'],
  ['カラオケ', '노래방', '伴奏', '반주', 'off vocal'],
  ['リミックス', '리믹스', 'アコースティック', '어쿠스틱', 'インスト', 'คาราโอเกะ'],
] as const

const VERSION_ALONE =
  /^(?:live(?: (?:at|from|in|on|version|session|\d).*)?|acoustic|instrumental|demo|unplugged|sped up|slowed|reprise)$/
const VERSION_LAST = /(?:^| )(?:remix|mix|edit|version|rework|bootleg)$/

/** Parts of a title that name a version by whose work it is. */
const EDITED = /\S (?:mix|edit|flip)$/

/** Text with the words of versions in it, as they are compared. */
interface VersionText {
  /** Folded. */
  readonly title: string
  /** Its parts, by dashes and brackets, folded. */
  readonly parts: readonly string[]
  /** As it is. */
  readonly raw: string
  /** Folded, of the artist or channel. */
  readonly author: string
}

/**
 * Whether two names tell of the same version: no remix for the song, no karaoke for the singer.
 * @param core folded words that belong to the name of the song itself: `live` in "Live Forever"
 */
export function sameVersionOf(one: VersionText, other: VersionText, core: string): boolean {
  const has = (text: string, words: readonly string[]) => countOf(text, words) > countOf(core, words)
  const sameTitle = VERSIONS.every((words) => has(one.title, words) === has(other.title, words))
  const sameChannel = CHANNEL_VERSIONS.every(
    (words) => has(`${one.title} ${one.author}`, words) === has(`${other.title} ${other.author}`, words),
  )
  const isEdited = ({ parts }: VersionText) => parts.some((part) => EDITED.test(part))
  if (isEdited(one) !== isEdited(other)) return false
  return sameTitle && sameChannel && UNSPACED.every((words) => includes(one.raw, words) === includes(other.raw, words))
}

function includes(text: string, words: readonly string[]): boolean {
  return words.some((word) => text.includes(word))
}

/** Whether the end of a title, folded, tells the version of the song and nothing else: "live at the quay". */
export function isVersion(ending: string): boolean {
  return VERSION_ALONE.test(ending)
}

/** Whether it may tell that, or be a song with its version: "quay remix". */
export function mayBeVersion(ending: string): boolean {
  return VERSION_LAST.test(ending)
}

function countOf(text: string, words: readonly string[]): number {
  const spaced = ` ${text} `
  return words.reduce((sum, word) => sum + spaced.split(` ${word} `).length - 1, 0)
}
