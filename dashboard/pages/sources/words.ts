import type { SourceFailure, SourceStatus } from '../../../bot/sources/source-state.ts'
import type { Words } from '../../words/language.ts'

type Kind = SourceStatus['kind']

const en = {
  title: 'Sources',
  lead: 'Where the music of this service comes from, in the order in which a search asks.',
  source: 'Source',
  plays: 'Plays',
  state: 'State',
  line: 'Line in .env that changes it',
  titles: {
    files: 'Library',
    addresses: 'Web addresses',
    stations: 'Radio stations',
    podcasts: 'Podcasts',
  } as Readonly<Partial<Record<Kind, string>>>,
  kinds: {
    files: () => 'Audio files in a folder of the service, by name',
    addresses: () => 'Files, playlists and radio streams, by URL',
    stations: () => 'Internet radios of a public directory, by name',
    podcasts: () => 'Episodes and shows of a public directory, by name; any feed, by URL',
    songs: (site: string) => `What ${site} has, by name and by link`,
    links: (site: string) => `Links of ${site}; their songs are played by the sources that find songs by name`,
  } as Readonly<Record<Kind, (site: string) => string>>,
  on: 'on',
  off: 'off',
  needsYtDlp: 'needs yt-dlp',
  notInstalled: 'It finds songs, but opens few of them until that program is installed.',
  failing: {
    refused: ['refuses this service', 'It may take the service for a robot.'],
    unreachable: ['cannot be reached', 'It did not answer in time, or not at all.'],
    changed: ['cannot be read', 'It answers in another form than expected.'],
  } as Readonly<Record<SourceFailure, readonly [state: string, meaning: string]>>,
  passedOver: 'Searches pass it over until it answers again.',
  needsSetting: 'needs a setting',
  isLast: 'One source has to be on.',
  restart: 'The service reads .env when it starts.',
}

type SourceWords = typeof en

const de: SourceWords = {
  title: 'Quellen',
  lead: 'Woher die Musik dieses Dienstes kommt, in der Reihenfolge, in der eine Suche fragt.',
  source: 'Quelle',
  plays: 'Spielt',
  state: 'Zustand',
  line: 'Zeile in .env, die das ändert',
  titles: {
    files: 'Bibliothek',
    addresses: 'Adressen im Web',
    stations: 'Radiosender',
    podcasts: 'Podcasts',
  },
  kinds: {
    files: () => 'Audiodateien in einem Ordner des Dienstes, nach Namen',
    addresses: () => 'Dateien, Playlists und Radiostreams, per URL',
    stations: () => 'Internetradios eines öffentlichen Verzeichnisses, nach Namen',
    podcasts: () => 'Folgen und Sendungen eines öffentlichen Verzeichnisses, nach Namen; jeder Feed, per URL',
    songs: (site) => `Was es bei ${site} gibt, nach Namen und per Link`,
    links: (site) => `Links von ${site}; die Lieder spielen jene Quellen, die Lieder nach Namen finden`,
  },
  on: 'an',
  off: 'aus',
  needsYtDlp: 'braucht yt-dlp',
  notInstalled: 'Sie findet Lieder, öffnet aber nur wenige, solange dieses Programm fehlt.',
  failing: {
    refused: ['weist diesen Dienst ab', 'Vielleicht hält sie ihn für einen Roboter.'],
    unreachable: ['nicht erreichbar', 'Sie hat nicht rechtzeitig geantwortet oder gar nicht.'],
    changed: ['nicht lesbar', 'Sie antwortet in anderer Form als erwartet.'],
  },
  passedOver: 'Suchen übergehen sie, bis sie wieder antwortet.',
  needsSetting: 'braucht eine Einstellung',
  isLast: 'Eine Quelle muss an sein.',
  restart: 'Der Dienst liest .env beim Start.',
}

export const SOURCES: Words<SourceWords> = { en, de }
