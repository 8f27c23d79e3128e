import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'playlist',
    'Your saved playlists',
    {
      save: ['save', 'Save the current track and the queue', { name: ['name', 'Name of the playlist'] }],
      load: ['load', 'Add a playlist to the queue', { name: ['name', 'Which one'] }],
      list: ['list', 'Show your playlists'],
      delete: ['delete', 'Delete one of your playlists', { name: ['name', 'Which one'] }],
    },
  ] as const satisfies Label,
  words: {
    title: 'Your playlists',
    none: 'You have no playlists yet. Save the queue with /playlist save.',
    saved: (name: string, count: number) => `Saved ${count} tracks as “${name}”.`,
    deleted: (name: string) => `Deleted “${name}”.`,
    tracks: (count: number) => `${count} tracks`,
  },
}

/** Texts of `/playlist`. */
export const playlistText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'playlist',
      'Deine gespeicherten Playlists',
      {
        save: [
          'speichern',
          'Speichert den laufenden Titel und die Warteschlange',
          { name: ['name', 'Name der Playlist'] },
        ],
        load: ['laden', 'Fügt der Warteschlange eine Playlist hinzu', { name: ['name', 'Welche'] }],
        list: ['zeigen', 'Zeigt deine Playlists'],
        delete: ['löschen', 'Löscht eine deiner Playlists', { name: ['name', 'Welche'] }],
      },
    ],
    words: {
      title: 'Deine Playlists',
      none: 'Du hast noch keine Playlists. Speichere die Warteschlange mit /playlist save.',
      saved: (name, count) => `${count} Titel als „${name}“ gespeichert.`,
      deleted: (name) => `„${name}“ gelöscht.`,
      tracks: (count) => `${count} Titel`,
    },
  },
  fr: {
    label: [
      'playlist',
      'Tes playlists enregistrées',
      {
        save: ['enregistrer', 'Enregistre le titre en cours et la file', { name: ['nom', 'Nom de la playlist'] }],
        load: ['charger', 'Ajoute une playlist à la file', { name: ['nom', 'Laquelle'] }],
        list: ['liste', 'Montre tes playlists'],
        delete: ['supprimer', 'Supprime une de tes playlists', { name: ['nom', 'Laquelle'] }],
      },
    ],
    words: {
      title: 'Tes playlists',
      none: 'Tu n’as pas encore de playlist. Enregistre la file avec /playlist save.',
      saved: (name, count) => `${count} titres enregistrés sous « ${name} ».`,
      deleted: (name) => `« ${name} » supprimée.`,
      tracks: (count) => `${count} titres`,
    },
  },
  'es-ES': {
    label: [
      'lista',
      'Tus listas guardadas',
      {
        save: ['guardar', 'Guarda la pista actual y la cola', { name: ['nombre', 'Nombre de la lista'] }],
        load: ['cargar', 'Añade una lista a la cola', { name: ['nombre', 'Cuál'] }],
        list: ['mostrar', 'Muestra tus listas'],
        delete: ['borrar', 'Borra una de tus listas', { name: ['nombre', 'Cuál'] }],
      },
    ],
    words: {
      title: 'Tus listas',
      none: 'Todavía no tienes listas. Guarda la cola con /playlist save.',
      saved: (name, count) => `${count} pistas guardadas como «${name}».`,
      deleted: (name) => `«${name}» borrada.`,
      tracks: (count) => `${count} pistas`,
    },
  },
  'pt-BR': {
    label: [
      'playlist',
      'Suas playlists salvas',
      {
        save: ['salvar', 'Salva a faixa atual e a fila', { name: ['nome', 'Nome da playlist'] }],
        load: ['carregar', 'Adiciona uma playlist à fila', { name: ['nome', 'Qual'] }],
        list: ['mostrar', 'Mostra suas playlists'],
        delete: ['apagar', 'Apaga uma das suas playlists', { name: ['nome', 'Qual'] }],
      },
    ],
    words: {
      title: 'Suas playlists',
      none: 'Você ainda não tem playlists. Salve a fila com /playlist save.',
      saved: (name, count) => `${count} faixas salvas como “${name}”.`,
      deleted: (name) => `“${name}” apagada.`,
      tracks: (count) => `${count} faixas`,
    },
  },
  ja: {
    label: [
      'プレイリスト',
      'あなたの保存したプレイリスト',
      {
        save: ['保存', '再生中の曲とキューを保存します', { name: ['名前', 'プレイリストの名前'] }],
        load: ['読み込み', 'プレイリストをキューに追加します', { name: ['名前', 'どのプレイリストか'] }],
        list: ['一覧', 'プレイリストを表示します'],
        delete: ['削除', 'プレイリストを削除します', { name: ['名前', 'どのプレイリストか'] }],
      },
    ],
    words: {
      title: 'プレイリスト',
      none: 'プレイリストはまだありません。/playlist save でキューを保存できます。',
      saved: (name, count) => `${count} 曲を「${name}」として保存しました。`,
      deleted: (name) => `「${name}」を削除しました。`,
      tracks: (count) => `${count} 曲`,
    },
  },
}
