import { html, type Markup } from '../../api/docs/html.ts'
import type { Fault, FaultCode, FaultReason } from '../../lib/errors.ts'
import type { Language } from './language.ts'

/** Faults are written in English where they happen. In German they are told by what they are. */
const REASONS: Readonly<Record<FaultReason, string>> = {
  duplicate: 'Das läuft oder wartet schon.',
  queue_full: 'Die Warteschlange ist voll. Überspringe oder entferne zuerst etwas.',
  too_many_queued: 'Mehr Titel dürfen von einer Person nicht warten.',
  nothing_playing: 'Es läuft nichts.',
  nothing_before: 'Davor lief nichts.',
  no_such_position: 'Diese Stelle gibt es nicht.',
  no_positions: 'In einem Livestream lässt sich nicht springen.',
  collection_full: 'Mehr lässt sich nicht speichern. Entferne zuerst etwas.',
  picture_unreachable: 'Dieses Bild lässt sich nicht abrufen.',
  picture_unreadable: 'Das ist kein Bild, das sich lesen lässt.',
  picture_too_large: 'Dieses Bild ist zu groß.',
  picture_too_slow: 'Dieses Bild dauert zu lange.',
  not_configured: 'Das ist hier nicht eingerichtet.',
  no_answer: 'Der Dienst, der das weiß, antwortet gerade nicht. Versuche es gleich noch einmal.',
}

const FIELDS: Readonly<Record<string, string>> = {
  'body.channelId': 'In diesem Kanal kann der Bot nicht spielen.',
  'body.query': 'Dazu fand sich nichts, was gespielt werden kann.',
  'body.track.encoded': 'Dieser Titel lässt sich nicht spielen.',
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
  rate_limited: 'Das war zu viel auf einmal. Warte einen Moment.',
  internal_error: 'Das liegt an uns. Mit der Anfrage-Nummer steht es im Log des Dienstes.',
  service_unavailable: 'Etwas, das dafür nötig ist, ist beschäftigt oder fort. Versuche es gleich noch einmal.',
  upstream_failed: 'Ein Dienst, der dafür nötig ist, hat nicht richtig geantwortet.',
  timed_out: 'Das hat zu lange gedauert.',
}

/** What went wrong, in the language of the reader; where that says less than the English sentence, with it. */
export function faultWords(language: Language, { reason, details, code, message }: Fault): Markup {
  if (language === 'en') return html`${message}`
  if (reason !== undefined) return html`${REASONS[reason]}`
  const words = FIELDS[details?.[0]?.field ?? ''] ?? CODES[code]
  return html`${words} <small lang="en">${message}</small>`
}
