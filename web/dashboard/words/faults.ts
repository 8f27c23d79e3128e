import { html, type Markup } from '../../../lib/html.ts'
import type { Fault, FaultCode, FaultReason, InputReason, SourceReason } from '../../../lib/errors.ts'
import type { PageLanguage } from './language.ts'

/** Faults are written in English where they happen. In German their code and reason choose the words. */
const REASONS: Readonly<Record<Exclude<FaultReason, InputReason | SourceReason>, string>> = {
  duplicate: 'Die Warteschlange enthält diesen Titel schon.',
  queue_full: 'Die Warteschlange ist voll. Überspringe oder entferne zuerst Titel.',
  too_many_queued: 'Dieses Mitglied hat die maximale Anzahl Titel in der Warteschlange.',
  bots_busy: 'Alle Bots spielen in anderen Kanälen dieses Servers. Warte, bis einer frei ist.',
  nothing_playing: 'Gerade läuft kein Titel.',
  nothing_before: 'Es gibt keinen vorherigen Titel.',
  nothing_to_undo: 'Die Warteschlange hat sich geändert; Rückgängig ist nicht mehr möglich.',
  no_such_position: 'Diese Position gibt es nicht.',
  no_chapters: 'Dieser Titel hat keine Kapitel.',
  no_such_chapter: 'Dieses Kapitel gibt es nicht.',
  no_positions: 'Livestreams haben keine Positionen.',
  endless: 'Ein Livestream hat kein Ende. Wähle eine Zeit.',
  collection_full: 'Die Liste ist voll. Entferne zuerst etwas.',
  picture_unreachable: 'Das Bild ist nicht abrufbar.',
  picture_unreadable: 'Das Bild ist nicht lesbar.',
  picture_too_large: 'Das Bild ist zu groß.',
  picture_too_slow: 'Das Bild braucht zu lange.',
  not_configured: 'Dieser Dienst hat das nicht eingerichtet.',
  no_answer: 'Der externe Dienst antwortet nicht. Versuche es gleich noch einmal.',
}

/** Reasons that say less than the English sentence, which names the source or the address. */
const INPUTS: Readonly<Record<SourceReason, string>> & Partial<Record<InputReason, string>> = {
  source_off: 'Diese Quelle ist aus. Der Betreiber kann sie mit MUSIC_SOURCES einschalten.',
  source_refused: 'Diese Quelle blockiert gerade diesen Dienst.',
  unreachable: 'Nicht erreichbar. Versuche es gleich noch einmal.',
  address_refused: 'Diese URL hat keine öffentliche IP-Adresse.',
  nothing_found: 'Keine Ergebnisse. Prüfe die Schreibweise oder den Link.',
  private: 'Dieser Inhalt ist privat.',
  region: 'Dieser Inhalt ist im Land des Dienstes nicht verfügbar.',
  age: 'Dieser Inhalt ist nur für angemeldete Erwachsene.',
  unplayable: 'Dieser Inhalt ist nicht abspielbar.',
  channel_not_joinable: 'Der Bot kann diesem Kanal nicht beitreten.',
  no_such_target: 'Diese Position gibt es nicht.',
}

const CODES: Readonly<Record<FaultCode, string>> = {
  bad_request: 'Die Eingabe ist ungültig.',
  validation_error: 'Die Eingabe ist ungültig.',
  invalid_api_key: 'Dieser Schlüssel ist ungültig.',
  api_key_revoked: 'Dieser Schlüssel wurde widerrufen.',
  forbidden: 'Das ist nicht erlaubt.',
  player_limit: 'Das Projekt hat die maximale Anzahl Player seines Plans.',
  not_found: 'Das existiert nicht oder nicht mehr.',
  method_not_allowed: 'Diese Methode ist nicht erlaubt.',
  conflict: 'Die Aktion passt nicht zum aktuellen Zustand.',
  precondition_failed: 'Die Warteschlange hat sich geändert. Lade sie neu.',
  rate_limited: 'Zu viele Anfragen. Warte einen Moment.',
  internal_error: 'Unerwarteter Fehler im Dienst. Sein Log hat die Einzelheiten unter der Anfrage-ID.',
  service_unavailable: 'Ein Teil des Dienstes ist ausgelastet oder offline. Versuche es gleich noch einmal.',
  upstream_failed: 'Ein externer Dienst hat keine brauchbare Antwort geliefert.',
  timed_out: 'Zeitüberschreitung. Versuche es noch einmal.',
}

/** The fault in the reader's language; with the English sentence too if that says more. */
export function faultWords(language: PageLanguage, { reason, code, message }: Fault): Markup {
  if (language === 'en') return html`${message}`
  const told: Partial<Record<FaultReason, string>> = REASONS
  const own = reason && told[reason]
  if (own !== undefined) return html`${own}`
  const said: Partial<Record<FaultReason, string>> = INPUTS
  const words = (reason && said[reason]) ?? CODES[code]
  return html`${words} <small lang="en">${message}</small>`
}
