import { html, type Markup } from '../../api/docs/html.ts'
import type { Fault, FaultCode, FaultReason, InputReason, SourceReason } from '../../lib/errors.ts'
import type { Language } from './language.ts'

/** Faults are written in English where they happen. In German their code and reason choose the words. */
const REASONS: Readonly<Record<Exclude<FaultReason, InputReason | SourceReason>, string>> = {
  duplicate: 'Das läuft oder wartet schon.',
  queue_full: 'Die Warteschlange ist voll. Überspringe oder entferne zuerst etwas.',
  too_many_queued: 'Mehr Titel dürfen von einer Person nicht warten.',
  bots_busy: 'Alle Bots spielen in anderen Kanälen dieses Servers. Warte, bis einer frei ist.',
  nothing_playing: 'Es läuft nichts.',
  nothing_before: 'Davor lief nichts.',
  nothing_to_undo: 'Die Warteschlange hat sich seitdem geändert.',
  no_such_position: 'Diese Stelle gibt es nicht.',
  no_chapters: 'Dieser Titel hat keine Kapitel.',
  no_such_chapter: 'Dieses Kapitel gibt es nicht.',
  no_positions: 'In einem Livestream lässt sich nicht springen.',
  endless: 'Ein Livestream hat kein Ende. Stell eine Zeit ein.',
  collection_full: 'Mehr lässt sich nicht speichern. Entferne zuerst etwas.',
  picture_unreachable: 'Dieses Bild lässt sich nicht abrufen.',
  picture_unreadable: 'Das ist kein Bild, das sich lesen lässt.',
  picture_too_large: 'Dieses Bild ist zu groß.',
  picture_too_slow: 'Dieses Bild dauert zu lange.',
  not_configured: 'Das ist hier nicht eingerichtet.',
  no_answer: 'Der Dienst, der das weiß, antwortet gerade nicht. Versuche es gleich noch einmal.',
}

/** Reasons that say less than the English sentence, which names the source or the address. */
const INPUTS: Readonly<Record<SourceReason, string>> & Partial<Record<InputReason, string>> = {
  source_off: 'Diese Quelle ist ausgeschaltet; MUSIC_SOURCES schaltet sie ein.',
  source_refused: 'Diese Quelle verweigert diesem Dienst gerade die Antwort.',
  unreachable: 'Das ist gerade nicht zu erreichen. Versuche es gleich noch einmal.',
  address_refused: 'Diese Adresse führt nicht ins öffentliche Internet und darf nicht abgerufen werden.',
  nothing_found: 'Dazu fand sich nichts. Prüfe die Schreibweise oder den Link.',
  private: 'Das ist privat.',
  region: 'Das ist in dem Land, in dem dieser Dienst läuft, nicht verfügbar.',
  age: 'Das ist nur für dort angemeldete Erwachsene.',
  unplayable: 'Das lässt sich nicht abspielen.',
  channel_not_joinable: 'In diesem Kanal kann der Bot nicht spielen.',
  no_such_target: 'Diese Stelle gibt es nicht.',
}

const CODES: Readonly<Record<FaultCode, string>> = {
  bad_request: 'Daran ist etwas ungültig.',
  validation_error: 'Daran ist etwas ungültig.',
  invalid_api_key: 'Dieser Schlüssel gilt nicht.',
  api_key_revoked: 'Dieser Schlüssel wurde widerrufen.',
  forbidden: 'Das ist nicht erlaubt.',
  player_limit: 'Es laufen schon so viele Player, wie der Plan dieses Projekts erlaubt.',
  not_found: 'Das gibt es hier nicht, oder nicht mehr.',
  method_not_allowed: 'So geht das nicht.',
  conflict: 'Das passt nicht zu dem, was gerade geschieht oder schon da ist.',
  precondition_failed: 'Die Warteschlange hat sich inzwischen geändert. Sieh sie dir noch einmal an.',
  rate_limited: 'Das war zu viel auf einmal. Warte einen Moment.',
  internal_error: 'Das liegt an uns. Mit der Anfrage-Nummer steht es im Log des Dienstes.',
  service_unavailable: 'Etwas, das dafür nötig ist, ist beschäftigt oder fort. Versuche es gleich noch einmal.',
  upstream_failed: 'Ein Dienst, der dafür nötig ist, hat nicht richtig geantwortet.',
  timed_out: 'Das hat zu lange gedauert.',
}

/** What went wrong, in the language of the reader; where that says less than the English sentence, with it. */
export function faultWords(language: Language, { reason, code, message }: Fault): Markup {
  if (language === 'en') return html`${message}`
  const told: Partial<Record<FaultReason, string>> = REASONS
  const own = reason && told[reason]
  if (own !== undefined) return html`${own}`
  const said: Partial<Record<FaultReason, string>> = INPUTS
  const words = (reason && said[reason]) ?? CODES[code]
  return html`${words} <small lang="en">${message}</small>`
}
