import type { PageWords } from '../../words/language.ts'

export interface Advice {
  readonly meaning: string
  readonly fix: string
}

interface AdviceWords {
  /** Advice by public error code. */
  readonly codes: Readonly<Record<string, Advice>>
  /** Advice by reason, where a reason says more. */
  readonly reasons: Readonly<Record<string, Advice>>
  /** Advice for reasons of a music source without an entry of their own. */
  readonly source: Advice
  readonly noRoute: Advice
  readonly overTotal: Advice
  readonly other: Advice
}

const en: AdviceWords = {
  codes: {
    bad_request: {
      meaning: 'The request does not have the format of this route.',
      fix: 'Compare path, query and body with the reference. The message names the problem.',
    },
    validation_error: {
      meaning: 'A parameter is missing or not valid.',
      fix: 'Correct the field in the message. Quote Discord IDs, since long numbers lose digits.',
    },
    invalid_api_key: {
      meaning: 'The request has no valid API key.',
      fix: 'Send the header “Authorization: Bearer svc.…” with the complete key.',
    },
    api_key_revoked: {
      meaning: 'The key is revoked or has expired.',
      fix: 'Create a key under Keys, and replace the old one in your program.',
    },
    forbidden: {
      meaning: 'The key or the plan does not allow this route.',
      fix: 'Under Keys, check its bot, route classes and IP allowlist. Some classes need a larger plan.',
    },
    player_limit: {
      meaning: 'The project has the maximum number of players of its plan.',
      fix: 'Close an unused player, or change to a larger plan.',
    },
    not_found: {
      meaning: 'The resource in the path does not exist.',
      fix: 'Check the ID in the path. A player exists from the first play until it stops or times out.',
    },
    method_not_allowed: {
      meaning: 'The path does not support this method.',
      fix: 'Use a method from the Allow header of the response.',
    },
    conflict: {
      meaning: 'The request conflicts with the current state.',
      fix: 'Read the current state first. For example, play a track before you seek.',
    },
    rate_limited: {
      meaning: 'The project exceeded the rate limit of this route class.',
      fix: 'Wait for Retry-After, and spread requests out. Use WebSocket events instead of polling.',
    },
    internal_error: {
      meaning: 'The service had an unexpected error. Your request is fine.',
      fix: 'Send the request ID to the operator. The log has the error under this ID.',
    },
    service_unavailable: {
      meaning: 'A dependency of this route is unavailable, busy or slow.',
      fix: 'Retry with increasing delays. If this continues, the operator can check /readyz.',
    },
  },
  reasons: {
    duplicate: {
      meaning: 'The queue already contains this track.',
      fix: 'Allow duplicates in the queue settings, or skip the request.',
    },
    queue_full: { meaning: 'The queue is full.', fix: 'Remove tracks or wait until some have played.' },
    nothing_playing: { meaning: 'Nothing is playing in this server.', fix: 'Play a track first.' },
    bots_busy: {
      meaning: 'All bots of the key play in other channels of this server.',
      fix: 'Wait until one is free, or add a bot to the pool.',
    },
    several_players: {
      meaning: 'Several bots of the key play in this server.',
      fix: 'Send channelId or botId with the request.',
    },
    channel_not_joinable: {
      meaning: 'The bot cannot join or speak in this voice channel.',
      fix: 'Check the channel ID. Grant the bot Connect and Speak; its page shows missing permissions.',
    },
    nothing_found: { meaning: 'No source has a result for this query.', fix: 'Check the spelling or the link.' },
    source_off: { meaning: 'This music source is off.', fix: 'The operator can enable it in MUSIC_SOURCES.' },
    address_refused: {
      meaning: 'The URL has no public IP address.',
      fix: 'Use a public URL. The operator can allow hosts in EGRESS_ALLOW_HOSTS.',
    },
    not_configured: {
      meaning: 'This service does not have this feature set up.',
      fix: 'The operator can set it up; see .env.example.',
    },
  },
  source: {
    meaning: 'The music source did not deliver the track.',
    fix: 'Try another link or source. The Sources page shows their state.',
  },
  noRoute: {
    meaning: 'No route has this path.',
    fix: 'Compare it with the reference at /docs. Paths start with /v1, end without a slash and are lower case.',
  },
  overTotal: {
    meaning: 'All keys together exceeded the total rate limit of the project.',
    fix: 'Under Usage, find the key with the most requests. Wait for Retry-After, or change to a larger plan.',
  },
  other: { meaning: 'The service rejected the request.', fix: 'The message has the reason.' },
}

const de: AdviceWords = {
  codes: {
    bad_request: {
      meaning: 'Die Anfrage hat nicht das Format dieser Route.',
      fix: 'Vergleiche Pfad, Parameter und Inhalt mit der Referenz. Die Meldung nennt das Problem.',
    },
    validation_error: {
      meaning: 'Ein Parameter fehlt oder ist ungültig.',
      fix: 'Korrigiere das Feld in der Meldung. Setze Discord-IDs in Anführungszeichen, da lange Zahlen Ziffern verlieren.',
    },
    invalid_api_key: {
      meaning: 'Die Anfrage hat keinen gültigen API-Schlüssel.',
      fix: 'Sende den Header „Authorization: Bearer svc.…“ mit dem vollständigen Schlüssel.',
    },
    api_key_revoked: {
      meaning: 'Der Schlüssel ist widerrufen oder abgelaufen.',
      fix: 'Lege unter „Schlüssel“ einen neuen an und ersetze den alten in deinem Programm.',
    },
    forbidden: {
      meaning: 'Der Schlüssel oder der Plan erlaubt diese Route nicht.',
      fix: 'Prüfe unter „Schlüssel“ seinen Bot, seine Routenklassen und seine Zulassungsliste. Manche Klassen brauchen einen größeren Plan.',
    },
    player_limit: {
      meaning: 'Das Projekt hat die maximale Anzahl Player seines Plans.',
      fix: 'Schließe einen ungenutzten Player, oder wechsle zu einem größeren Plan.',
    },
    not_found: {
      meaning: 'Die Ressource im Pfad gibt es nicht.',
      fix: 'Prüfe die ID im Pfad. Ein Player besteht vom ersten Abspielen bis zum Ende oder zur Zeitüberschreitung.',
    },
    method_not_allowed: {
      meaning: 'Der Pfad unterstützt diese Methode nicht.',
      fix: 'Nutze eine Methode aus dem Header Allow der Antwort.',
    },
    conflict: {
      meaning: 'Die Anfrage passt nicht zum aktuellen Zustand.',
      fix: 'Lies zuerst den aktuellen Zustand. Spiele zum Beispiel einen Titel, bevor du springst.',
    },
    rate_limited: {
      meaning: 'Das Projekt hat das Ratenlimit dieser Routenklasse überschritten.',
      fix: 'Warte die Zeit aus Retry-After ab und verteile die Anfragen. Nutze WebSocket-Ereignisse statt Polling.',
    },
    internal_error: {
      meaning: 'Unerwarteter Fehler im Dienst. Deine Anfrage ist in Ordnung.',
      fix: 'Gib dem Betreiber die Anfrage-ID. Unter ihr steht der Fehler im Log.',
    },
    service_unavailable: {
      meaning: 'Eine Abhängigkeit dieser Route ist nicht verfügbar, ausgelastet oder langsam.',
      fix: 'Wiederhole die Anfrage mit wachsenden Pausen. Bleibt der Fehler, kann der Betreiber /readyz prüfen.',
    },
  },
  reasons: {
    duplicate: {
      meaning: 'Die Warteschlange enthält diesen Titel schon.',
      fix: 'Erlaube doppelte Titel in den Einstellungen der Warteschlange oder lass die Anfrage weg.',
    },
    queue_full: {
      meaning: 'Die Warteschlange ist voll.',
      fix: 'Entferne Titel oder warte, bis einige gelaufen sind.',
    },
    nothing_playing: {
      meaning: 'Auf diesem Server läuft kein Titel.',
      fix: 'Spiele zuerst einen Titel.',
    },
    bots_busy: {
      meaning: 'Alle Bots des Schlüssels spielen in anderen Kanälen dieses Servers.',
      fix: 'Warte, bis einer frei ist, oder nimm einen weiteren Bot in den Pool auf.',
    },
    several_players: {
      meaning: 'Mehrere Bots des Schlüssels spielen auf diesem Server.',
      fix: 'Sende channelId oder botId mit.',
    },
    channel_not_joinable: {
      meaning: 'Der Bot kann diesem Sprachkanal nicht beitreten oder dort nicht sprechen.',
      fix: 'Prüfe die Kanal-ID. Gib dem Bot die Rechte Verbinden und Sprechen; seine Seite zeigt fehlende Rechte.',
    },
    nothing_found: {
      meaning: 'Keine Quelle hat ein Ergebnis zu dieser Suche.',
      fix: 'Prüfe die Schreibweise oder den Link.',
    },
    source_off: {
      meaning: 'Diese Musikquelle ist aus.',
      fix: 'Der Betreiber kann sie mit MUSIC_SOURCES einschalten.',
    },
    address_refused: {
      meaning: 'Die URL hat keine öffentliche IP-Adresse.',
      fix: 'Nutze eine öffentliche URL. Der Betreiber kann Hosts mit EGRESS_ALLOW_HOSTS erlauben.',
    },
    not_configured: {
      meaning: 'Dieser Dienst hat diese Funktion nicht eingerichtet.',
      fix: 'Der Betreiber kann sie einrichten; siehe .env.example.',
    },
  },
  source: {
    meaning: 'Die Musikquelle hat den Titel nicht geliefert.',
    fix: 'Versuche einen anderen Link oder eine andere Quelle. Die Seite „Quellen“ zeigt ihren Zustand.',
  },
  noRoute: {
    meaning: 'Keine Route hat diesen Pfad.',
    fix: 'Vergleiche ihn mit der Referenz unter /docs. Pfade beginnen mit /v1, enden ohne Schrägstrich und sind kleingeschrieben.',
  },
  overTotal: {
    meaning: 'Alle Schlüssel zusammen haben das Gesamtlimit des Projekts überschritten.',
    fix: 'Finde unter „Nutzung“ den Schlüssel mit den meisten Anfragen. Warte die Zeit aus Retry-After ab, oder wechsle zu einem größeren Plan.',
  },
  other: { meaning: 'Der Dienst hat die Anfrage abgelehnt.', fix: 'Die Meldung nennt den Grund.' },
}

export const ADVICE: PageWords<AdviceWords> = { en, de }
