import type { BotState } from '../../../bot/discord/bot-status.ts'
import type { Words } from '../../words/language.ts'

const en = {
  title: 'Bots',
  lead: 'Discord bots that play for this project.',
  add: 'Add a bot',
  emptyTitle: 'No bot yet',
  emptyText: 'A bot joins voice channels and plays. You need its token from Discord’s developer portal.',
  emptyViewer: 'This project has no bots yet.',
  name: 'Bot',
  state: 'State',
  guilds: 'Servers',
  keys: 'Active keys',
  states: {
    connected: 'online',
    connecting: 'connecting',
    refused: 'token refused',
    unreadable: 'token not readable',
    stopped: 'stopped',
  } as Readonly<Record<BotState, string>>,
  refusedText: 'Discord refuses its token: it was reset, or the bot was deleted. Add the bot again with the new token.',
  unreadableText:
    'Its token is encrypted with another key than the service has now. The operator of the service can put the former key back; otherwise add the bot again with its token.',
  sandbox: 'in the sandbox',
  addLead: 'Its token is checked with Discord at once, and kept encrypted.',
  token: 'Token',
  tokenHint:
    'In the developer portal: your application, page “Bot”, “Reset Token”. A bot that is already here gets its new token.',
  addButton: 'Check and add',
  noToken: 'This is no bot token. Copy it from the page “Bot” of your application.',
  refused: (who: string) => `${who} did not accept this token. Was it reset? Copy the new one.`,
  person: 'This is the token of a person, not of a bot.',
  away: 'Discord did not answer. Try again in a moment.',
  foreign: 'This bot belongs to another project. It has to be removed there first.',
  invite: 'Invite it to a server',
  inviteText:
    'The link asks for what playing needs: see channels, write and embed, connect, speak, set the status of a voice channel, ask to speak on stages.',
  open: 'Open Discord',
  guildsTitle: 'Servers',
  guildsEmpty: 'It is in no server yet. Use the link above.',
  guildsAway: 'Shown while the bot is online.',
  members: 'Members',
  id: 'Id',
  keysTitle: 'Keys linked to it',
  keysNone: 'No active key controls this bot yet.',
  newKey: 'New key for this bot',
  stop: 'Stop',
  start: 'Start',
  stopTitle: (name: string) => `Stop ${name}?`,
  stopText: 'It leaves all calls and goes offline. What it plays is lost. It stays here and can be started again.',
  stopButton: 'Stop the bot',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText:
    'It leaves all calls, and its token and players are forgotten. Keys that are linked to it stay, and control nothing.',
  removeButton: 'Remove the bot',
  keep: 'Keep it',
  added: 'Added',
  done: {
    added: 'The bot is added and is connecting now.',
    stopped: 'The bot is stopped.',
    started: 'The bot is connecting now.',
    removed: 'The bot is removed.',
    listening: 'Saved.',
  },
  listening: 'Listening along',
  listeningOff:
    'Off. Allowed, owners and managers can hear on the page of the players what this bot plays, as it plays it. It is the bot’s own sound; members of the channel are never heard. Who listens is written down.',
  listeningOn:
    'Allowed. Owners and managers can hear on the page of the players what this bot plays. Who listens is written down.',
  listeningAllow: 'Allow it',
  listeningEnd: 'Turn it off',
  listeningOwner: 'Owners of the project decide this.',
}

export type BotWords = typeof en

const de: BotWords = {
  title: 'Bots',
  lead: 'Discord-Bots, die für dieses Projekt spielen.',
  add: 'Bot hinzufügen',
  emptyTitle: 'Noch kein Bot',
  emptyText: 'Ein Bot betritt Sprachkanäle und spielt. Du brauchst seinen Token aus Discords Developer-Portal.',
  emptyViewer: 'Zu diesem Projekt hat noch niemand einen Bot hinzugefügt.',
  name: 'Bot',
  state: 'Zustand',
  guilds: 'Server',
  keys: 'Aktive Schlüssel',
  states: {
    connected: 'online',
    connecting: 'verbindet sich',
    refused: 'Token abgelehnt',
    unreadable: 'Token nicht lesbar',
    stopped: 'angehalten',
  },
  refusedText:
    'Discord lehnt seinen Token ab: er wurde zurückgesetzt, oder der Bot wurde gelöscht. Füge den Bot mit dem neuen Token noch einmal hinzu.',
  unreadableText:
    'Sein Token ist mit einem anderen Schlüssel verschlüsselt, als der Dienst jetzt hat. Wer den Dienst betreibt, kann den früheren zurückbringen; sonst füge den Bot mit seinem Token noch einmal hinzu.',
  sandbox: 'in der Sandbox',
  addLead: 'Sein Token wird sofort bei Discord geprüft und verschlüsselt aufbewahrt.',
  token: 'Token',
  tokenHint:
    'Im Developer-Portal: deine Anwendung, Seite „Bot“, „Reset Token“. Ein Bot, der schon hier ist, bekommt seinen neuen Token.',
  addButton: 'Prüfen und hinzufügen',
  noToken: 'Das ist kein Bot-Token. Kopiere ihn von der Seite „Bot“ deiner Anwendung.',
  refused: (who) => `${who} hat diesen Token nicht angenommen. Wurde er zurückgesetzt? Kopiere den neuen.`,
  person: 'Das ist der Token einer Person, nicht der eines Bots.',
  away: 'Discord hat nicht geantwortet. Versuche es gleich noch einmal.',
  foreign: 'Dieser Bot gehört zu einem anderen Projekt. Dort muss er zuerst entfernt werden.',
  invite: 'Auf einen Server einladen',
  inviteText:
    'Der Link bittet um das, was das Spielen braucht: Kanäle sehen, schreiben und einbetten, verbinden, sprechen, den Status eines Sprachkanals setzen, auf Bühnen um das Wort bitten.',
  open: 'Discord öffnen',
  guildsTitle: 'Server',
  guildsEmpty: 'Er ist noch auf keinem Server. Nimm den Link oben.',
  guildsAway: 'Zu sehen, solange der Bot online ist.',
  members: 'Mitglieder',
  id: 'Id',
  keysTitle: 'Mit ihm verknüpfte Schlüssel',
  keysNone: 'Noch kein aktiver Schlüssel steuert diesen Bot.',
  newKey: 'Neuer Schlüssel für diesen Bot',
  stop: 'Anhalten',
  start: 'Starten',
  stopTitle: (name) => `${name} anhalten?`,
  stopText:
    'Er verlässt alle Gespräche und geht offline. Was er spielt, geht verloren. Er bleibt hier und lässt sich wieder starten.',
  stopButton: 'Bot anhalten',
  remove: 'Entfernen',
  removeTitle: (name) => `${name} entfernen?`,
  removeText:
    'Er verlässt alle Gespräche, sein Token und seine Player werden vergessen. Verknüpfte Schlüssel bleiben und steuern nichts mehr.',
  removeButton: 'Bot entfernen',
  keep: 'Behalten',
  added: 'Hinzugefügt',
  done: {
    added: 'Der Bot ist hinzugefügt und verbindet sich gerade.',
    stopped: 'Der Bot ist angehalten.',
    started: 'Der Bot verbindet sich gerade.',
    removed: 'Der Bot ist entfernt.',
    listening: 'Gespeichert.',
  },
  listening: 'Mithören',
  listeningOff:
    'Aus. Ist es erlaubt, können Inhaber und Verwalter auf der Seite der Player hören, was dieser Bot gerade spielt. Es ist der Ton des Bots selbst; niemand im Kanal ist je zu hören. Wer mithört, wird festgehalten.',
  listeningOn:
    'Erlaubt. Inhaber und Verwalter können auf der Seite der Player hören, was dieser Bot spielt. Wer mithört, wird festgehalten.',
  listeningAllow: 'Erlauben',
  listeningEnd: 'Ausschalten',
  listeningOwner: 'Darüber entscheiden die Inhaber des Projekts.',
}

export const BOTS: Words<BotWords> = { en, de }
