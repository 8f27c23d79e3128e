import type { Localised, Widened } from '../i18n/languages.ts'
import type { Labels } from '../i18n/labels.ts'

const en = {
  labels: {
    library: [
      'library',
      'Play from the bot’s own music library',
      {
        artist: ['artist', 'Play everything by an artist', { name: ['name', 'Name of the artist'] }],
        album: ['album', 'Play an album', { name: ['name', 'Album or artist name'] }],
        playlist: ['playlist', 'Play a playlist of the music server', { name: ['name', 'Which one'] }],
      },
    ],
    podcast: [
      'podcast',
      'Play the newest episodes of a podcast',
      { show: ['show', 'Name or feed URL'], episodes: ['episodes', 'How many; default: 1'] },
    ],
  } as const satisfies Labels,
}

/** Texts of `/library` and `/podcast`. */
export const libraryText: Localised<Widened<typeof en>> = {
  en,
  de: {
    labels: {
      library: [
        'bibliothek',
        'Spielt aus der Musikbibliothek dieses Bots',
        {
          artist: [
            'künstler',
            'Spielt alles von einer Band oder einem Künstler',
            { name: ['name', 'Name der Band oder des Künstlers'] },
          ],
          album: ['album', 'Spielt ein Album', { name: ['name', 'Name des Albums oder Künstlers'] }],
          playlist: ['playlist', 'Spielt eine Playlist des Musikservers', { name: ['name', 'Welche'] }],
        },
      ],
      podcast: [
        'podcast',
        'Spielt die neuesten Folgen eines Podcasts',
        { show: ['sendung', 'Name oder URL des Feeds'], episodes: ['folgen', 'Wie viele; sonst 1'] },
      ],
    },
  },
  fr: {
    labels: {
      library: [
        'bibliothèque',
        'Lit la bibliothèque musicale de ce bot',
        {
          artist: ['artiste', 'Lit tous les titres d’un artiste', { name: ['nom', 'Nom de l’artiste'] }],
          album: ['album', 'Lit un album', { name: ['nom', 'Nom de l’album ou de l’artiste'] }],
          playlist: ['playlist', 'Lit une playlist du serveur de musique', { name: ['nom', 'Laquelle'] }],
        },
      ],
      podcast: [
        'podcast',
        'Lit les derniers épisodes d’un podcast',
        { show: ['émission', 'Nom ou URL du flux'], episodes: ['épisodes', 'Combien ; 1 par défaut'] },
      ],
    },
  },
  'es-ES': {
    labels: {
      library: [
        'biblioteca',
        'Pone música de la biblioteca de este bot',
        {
          artist: ['artista', 'Pone todo lo de un artista', { name: ['nombre', 'Nombre del artista'] }],
          album: ['álbum', 'Pone un álbum', { name: ['nombre', 'Nombre del álbum o del artista'] }],
          playlist: ['lista', 'Pone una lista del servidor de música', { name: ['nombre', 'Cuál'] }],
        },
      ],
      podcast: [
        'pódcast',
        'Pone los últimos episodios de un pódcast',
        { show: ['programa', 'Nombre o URL del feed'], episodes: ['episodios', 'Cuántos; 1 por defecto'] },
      ],
    },
  },
  'pt-BR': {
    labels: {
      library: [
        'biblioteca',
        'Toca músicas da biblioteca deste bot',
        {
          artist: ['artista', 'Toca tudo de um artista', { name: ['nome', 'Nome do artista'] }],
          album: ['álbum', 'Toca um álbum', { name: ['nome', 'Nome do álbum ou do artista'] }],
          playlist: ['playlist', 'Toca uma playlist do servidor de música', { name: ['nome', 'Qual'] }],
        },
      ],
      podcast: [
        'podcast',
        'Toca os episódios mais recentes de um podcast',
        { show: ['programa', 'Nome ou URL do feed'], episodes: ['episódios', 'Quantos; padrão: 1'] },
      ],
    },
  },
  ja: {
    labels: {
      library: [
        'ライブラリ',
        'このボットの音楽ライブラリから再生します',
        {
          artist: ['アーティスト', 'そのアーティストの曲をすべて再生します', { name: ['名前', 'アーティスト名'] }],
          album: ['アルバム', 'アルバムを再生します', { name: ['名前', 'アルバム名またはアーティスト名'] }],
          playlist: [
            'プレイリスト',
            '音楽サーバーのプレイリストを再生します',
            { name: ['名前', 'どのプレイリストか'] },
          ],
        },
      ],
      podcast: [
        'ポッドキャスト',
        'ポッドキャストの最新エピソードを再生します',
        {
          show: ['番組', '番組名またはフィードの URL'],
          episodes: ['エピソード数', '再生する数。省略すると 1'],
        },
      ],
    },
  },
}
