import type { Words } from '../../words/language.ts'

export interface Advice {
  readonly meaning: string
  readonly fix: string
}

interface AdviceWords {
  /** By public error code. */
  readonly codes: Readonly<Record<string, Advice>>
  /** By reason, where that says more. */
  readonly reasons: Readonly<Record<string, Advice>>
  /** Of a music source, for the reasons without words of their own. */
  readonly source: Advice
  readonly noRoute: Advice
  readonly overTotal: Advice
  readonly other: Advice
}

const en: AdviceWords = {
  codes: {
    bad_request: {
      meaning: 'The request could not be read as this route expects it.',
      fix: 'Compare path, query and body with the reference: the message names what is wrong.',
    },
    validation_error: {
      meaning: 'A parameter was missing, malformed or not usable.',
      fix: 'Correct the field that the message names. IDs of Discord are strings: quote them, numbers lose digits.',
    },
    invalid_api_key: {
      meaning: 'No key of this service was sent.',
      fix: 'Send the header “Authorization: Bearer svc.…” with the whole key.',
    },
    api_key_revoked: {
      meaning: 'The key was revoked or has expired.',
      fix: 'Create or rotate a key under Keys and put it where the old one is still in use.',
    },
    forbidden: {
      meaning: 'The key or the plan does not allow this route.',
      fix: 'Check the key under Keys: its bot, its route classes and its allowed addresses. Some classes need a larger plan.',
    },
    player_limit: {
      meaning: 'The project runs as many players as its plan allows.',
      fix: 'Stop a player that nobody listens to, or move to a larger plan.',
    },
    not_found: {
      meaning: 'What the path names does not exist, or no longer does.',
      fix: 'Check the ID in the path. A player exists from the first play until it is stopped or idle for too long.',
    },
    method_not_allowed: {
      meaning: 'The path exists, but not with this method.',
      fix: 'Use one of the methods that the Allow header of the answer names.',
    },
    conflict: {
      meaning: 'It does not fit what is happening right now.',
      fix: 'Read the current state, then decide again: for example, play something before you seek.',
    },
    rate_limited: {
      meaning: 'More requests came within a minute than the plan allows for this class of routes.',
      fix: 'Wait as long as Retry-After says and spread requests out. Events over the WebSocket replace polling.',
    },
    internal_error: {
      meaning: 'That is a fault of the service, not of your request.',
      fix: 'Give the request ID to the operator: it finds the whole error in the log.',
    },
    service_unavailable: {
      meaning: 'Something that this route needs is away, busy or took too long.',
      fix: 'Try again after a moment, with growing pauses. If it stays, the operator sees at /readyz what is away.',
    },
  },
  reasons: {
    duplicate: {
      meaning: 'The track plays or waits already.',
      fix: 'Allow duplicates in the queue settings, or skip the request.',
    },
    queue_full: { meaning: 'The queue is full.', fix: 'Remove tracks or wait until some have played.' },
    nothing_playing: { meaning: 'Nothing plays in that server.', fix: 'Start with play; controls work from then on.' },
    bots_busy: {
      meaning: 'All bots of the key play in other channels of that server.',
      fix: 'Wait until one is free, or add a bot to the pool.',
    },
    several_players: {
      meaning: 'Several bots of the key play there, and the request does not say which is meant.',
      fix: 'Send channelId or botId with it.',
    },
    channel_not_joinable: {
      meaning: 'The bot may not join or speak in that voice channel.',
      fix: 'Check the channel ID, and give the bot Connect and Speak there. The page of the bot shows what is missing.',
    },
    nothing_found: { meaning: 'No source found anything for that.', fix: 'Check the spelling or the link.' },
    source_off: { meaning: 'That music source is turned off.', fix: 'The operator turns it on by MUSIC_SOURCES.' },
    address_refused: {
      meaning: 'The URL leads to an address that is not public.',
      fix: 'Use a URL that anyone can reach. The operator can allow hosts by EGRESS_ALLOW_HOSTS.',
    },
    not_configured: {
      meaning: 'This is not set up on this service.',
      fix: 'The operator finds the setting in .env.example.',
    },
  },
  source: {
    meaning: 'The music source did not give the track.',
    fix: 'Try another link or source. The page Sources shows which of them answer.',
  },
  noRoute: {
    meaning: 'No route has this path.',
    fix: 'Compare it with the reference at /docs: paths begin with /v1, have no slash at the end, and are lower case.',
  },
  overTotal: {
    meaning: 'All keys of the project together sent more than the plan allows per minute.',
    fix: 'Look under Usage which key sends most. Wait as long as Retry-After says, or move to a larger plan.',
  },
  other: { meaning: 'The request was refused.', fix: 'The message says why.' },
}

const de: AdviceWords = {
  codes: {
    bad_request: {
      meaning: 'Die Anfrage ließ sich nicht so lesen, wie diese Route sie erwartet.',
      fix: 'Vergleiche Pfad, Parameter und Inhalt mit der Referenz: Die Meldung nennt, was nicht stimmt.',
    },
    validation_error: {
      meaning: 'Ein Parameter fehlte, war falsch geschrieben oder nicht brauchbar.',
      fix: 'Korrigiere das Feld, das die Meldung nennt. IDs von Discord sind Zeichenketten: Als Zahl verlieren sie Ziffern.',
    },
    invalid_api_key: {
      meaning: 'Es wurde kein Schlüssel dieses Dienstes mitgeschickt.',
      fix: 'Sende den Header „Authorization: Bearer svc.…“ mit dem ganzen Schlüssel.',
    },
    api_key_revoked: {
      meaning: 'Der Schlüssel wurde widerrufen oder ist abgelaufen.',
      fix: 'Lege unter Schlüssel einen neuen an und setze ihn ein, wo der alte noch benutzt wird.',
    },
    forbidden: {
      meaning: 'Der Schlüssel oder der Plan erlaubt diese Route nicht.',
      fix: 'Prüfe den Schlüssel unter Schlüssel: seinen Bot, seine Klassen und seine erlaubten Adressen. Manche Klassen brauchen einen größeren Plan.',
    },
    player_limit: {
      meaning: 'Im Projekt laufen so viele Player, wie der Plan erlaubt.',
      fix: 'Beende einen Player, dem niemand zuhört, oder wechsle zu einem größeren Plan.',
    },
    not_found: {
      meaning: 'Was der Pfad nennt, gibt es nicht oder nicht mehr.',
      fix: 'Prüfe die ID im Pfad. Einen Player gibt es vom ersten Abspielen an, bis er beendet wird oder zu lange nichts spielt.',
    },
    method_not_allowed: {
      meaning: 'Den Pfad gibt es, aber nicht mit dieser Methode.',
      fix: 'Nimm eine der Methoden, die der Header Allow der Antwort nennt.',
    },
    conflict: {
      meaning: 'Das passt nicht zu dem, was gerade geschieht.',
      fix: 'Lies den aktuellen Stand und entscheide neu: Spiele zum Beispiel erst etwas ab, bevor du springst.',
    },
    rate_limited: {
      meaning: 'In einer Minute kamen mehr Anfragen, als der Plan für diese Klasse von Routen erlaubt.',
      fix: 'Warte so lange, wie Retry-After sagt, und verteile die Anfragen. Ereignisse über den WebSocket ersetzen ständiges Nachfragen.',
    },
    internal_error: {
      meaning: 'Das ist ein Fehler des Dienstes, nicht deiner Anfrage.',
      fix: 'Gib dem Betreiber die Anfrage-ID: Mit ihr findet er den ganzen Fehler im Log.',
    },
    service_unavailable: {
      meaning: 'Etwas, das diese Route braucht, ist fort, beschäftigt oder zu langsam.',
      fix: 'Versuche es nach einem Moment wieder, mit wachsenden Pausen. Bleibt es so, sieht der Betreiber unter /readyz, was fehlt.',
    },
  },
  reasons: {
    duplicate: {
      meaning: 'Der Titel läuft oder wartet schon.',
      fix: 'Erlaube doppelte Titel in den Einstellungen der Warteschlange oder lass die Anfrage weg.',
    },
    queue_full: {
      meaning: 'Die Warteschlange ist voll.',
      fix: 'Entferne Titel oder warte, bis einige gelaufen sind.',
    },
    nothing_playing: {
      meaning: 'Auf diesem Server läuft nichts.',
      fix: 'Spiele zuerst etwas ab; danach wirken die Steuerbefehle.',
    },
    bots_busy: {
      meaning: 'Alle Bots des Schlüssels spielen in anderen Kanälen dieses Servers.',
      fix: 'Warte, bis einer frei ist, oder nimm einen weiteren Bot in den Pool auf.',
    },
    several_players: {
      meaning: 'Mehrere Bots des Schlüssels spielen dort, und die Anfrage sagt nicht, welcher gemeint ist.',
      fix: 'Schicke channelId oder botId mit.',
    },
    channel_not_joinable: {
      meaning: 'Der Bot darf diesen Sprachkanal nicht betreten oder dort nicht sprechen.',
      fix: 'Prüfe die Kanal-ID und gib dem Bot dort die Rechte Verbinden und Sprechen. Die Seite des Bots zeigt, was fehlt.',
    },
    nothing_found: {
      meaning: 'Keine Quelle hat dazu etwas gefunden.',
      fix: 'Prüfe die Schreibweise oder den Link.',
    },
    source_off: {
      meaning: 'Diese Musikquelle ist ausgeschaltet.',
      fix: 'Der Betreiber schaltet sie mit MUSIC_SOURCES ein.',
    },
    address_refused: {
      meaning: 'Die URL führt zu einer Adresse, die nicht öffentlich ist.',
      fix: 'Nimm eine URL, die alle erreichen. Der Betreiber kann Hosts mit EGRESS_ALLOW_HOSTS erlauben.',
    },
    not_configured: {
      meaning: 'Das ist auf diesem Dienst nicht eingerichtet.',
      fix: 'Der Betreiber findet die Einstellung in .env.example.',
    },
  },
  source: {
    meaning: 'Die Musikquelle hat den Titel nicht geliefert.',
    fix: 'Versuche einen anderen Link oder eine andere Quelle. Die Seite Quellen zeigt, welche antworten.',
  },
  noRoute: {
    meaning: 'Keine Route hat diesen Pfad.',
    fix: 'Vergleiche ihn mit der Referenz unter /docs: Pfade beginnen mit /v1, enden ohne Schrägstrich und sind klein geschrieben.',
  },
  overTotal: {
    meaning: 'Alle Schlüssel des Projekts zusammen haben mehr gesendet, als der Plan pro Minute erlaubt.',
    fix: 'Sieh unter Nutzung nach, welcher Schlüssel am meisten sendet. Warte so lange, wie Retry-After sagt, oder wechsle zu einem größeren Plan.',
  },
  other: { meaning: 'Die Anfrage wurde abgelehnt.', fix: 'Die Meldung sagt, warum.' },
}

export const ADVICE: Words<AdviceWords> = { en, de }
