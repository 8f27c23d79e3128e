import type { SourceFailure, SourceStatus } from '../../../../bot/sources/source-state.ts'
import type { PageWords } from '../../words/language.ts'

type Kind = SourceStatus['kind']

const en = {
  title: 'Sources',
  lead: 'Music sources of this service, in search order.',
  source: 'Source',
  plays: 'Plays',
  state: 'State',
  line: 'Setting in .env',
  toSwitchOn: 'to switch it on:',
  toSwitchOff: 'to switch it off:',
  titles: {
    files: 'Library',
    addresses: 'URLs',
    stations: 'Radio stations',
    podcasts: 'Podcasts',
  } as Readonly<Partial<Record<Kind, string>>>,
  kinds: {
    files: () => 'Audio files in a folder of the service, by name',
    addresses: () => 'Files, playlists and radio streams, by URL',
    stations: () => 'Radio stations of a public directory, by name',
    podcasts: () => 'Episodes and shows of a public directory, by name; any feed, by URL',
    songs: (site: string) => `Tracks of ${site}, by name or link`,
    links: (site: string) => `Links of ${site}; other sources play the tracks`,
  } as Readonly<Record<Kind, (site: string) => string>>,
  on: 'on',
  off: 'off',
  needsYtDlp: 'needs yt-dlp',
  notInstalled: 'Without yt-dlp it finds tracks but can play only a few.',
  failing: {
    refused: ['blocked', 'It rejects requests of this service, possibly as a bot.'],
    unreachable: ['unreachable', 'It did not respond in time.'],
    changed: ['invalid response', 'Its response has an unexpected format.'],
  } as Readonly<Record<SourceFailure, readonly [state: string, meaning: string]>>,
  passedOver: 'Searches skip it until it recovers.',
  needsSetting: 'needs a setting',
  isLast: 'At least one source must be on.',
  restart: 'Restart the service to apply changes to .env.',
}

type SourceWords = typeof en

const de: SourceWords = {
  title: 'Quellen',
  lead: 'Musikquellen dieses Dienstes, in der Reihenfolge der Suche.',
  source: 'Quelle',
  plays: 'Spielt',
  state: 'Zustand',
  line: 'Einstellung in .env',
  toSwitchOn: 'zum Einschalten:',
  toSwitchOff: 'zum Ausschalten:',
  titles: {
    files: 'Bibliothek',
    addresses: 'URLs',
    stations: 'Radiosender',
    podcasts: 'Podcasts',
  },
  kinds: {
    files: () => 'Audiodateien in einem Ordner des Dienstes, nach Namen',
    addresses: () => 'Dateien, Playlists und Radiostreams, per URL',
    stations: () => 'Radiosender eines öffentlichen Verzeichnisses, nach Namen',
    podcasts: () => 'Folgen und Sendungen eines öffentlichen Verzeichnisses, nach Namen; jeder Feed, per URL',
    songs: (site) => `Titel von ${site}, per Name oder Link`,
    links: (site) => `Links von ${site}; andere Quellen spielen die Titel`,
  },
  on: 'an',
  off: 'aus',
  needsYtDlp: 'braucht yt-dlp',
  notInstalled: 'Ohne yt-dlp findet sie Titel, spielt aber nur wenige.',
  failing: {
    refused: ['blockiert', 'Sie lehnt Anfragen dieses Dienstes ab, vielleicht als Bot.'],
    unreachable: ['nicht erreichbar', 'Sie hat nicht rechtzeitig geantwortet.'],
    changed: ['ungültige Antwort', 'Ihre Antwort hat ein unerwartetes Format.'],
  },
  passedOver: 'Suchen überspringen sie, bis sie wieder antwortet.',
  needsSetting: 'braucht eine Einstellung',
  isLast: 'Mindestens eine Quelle muss an sein.',
  restart: 'Starte den Dienst neu, um Änderungen an .env zu übernehmen.',
}

export const SOURCES: PageWords<SourceWords> = { en, de }
