import type { Localised, Widened } from '../i18n/languages.ts'
import type { Labels } from '../i18n/labels.ts'

const en = {
  labels: {
    library: [
      'library',
      'Play from the own music of this bot',
      {
        artist: ['artist', 'Play all that an artist has here', { name: ['name', 'Who'] }],
        album: ['album', 'Play an album', { name: ['name', 'Which one; words of the artist do as well'] }],
        playlist: ['playlist', 'Play a playlist of the music server', { name: ['name', 'Which one'] }],
      },
    ],
    podcast: [
      'podcast',
      'Play the newest episodes of a podcast',
      { show: ['show', 'Its name, or the address of its feed'], episodes: ['episodes', 'How many; one if left out'] },
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
        'Spielt aus der eigenen Musik dieses Bots',
        {
          artist: ['künstler', 'Spielt alles, was es hier von jemandem gibt', { name: ['name', 'Von wem'] }],
          album: ['album', 'Spielt ein Album', { name: ['name', 'Welches; Wörter des Künstlers gehen auch'] }],
          playlist: ['playlist', 'Spielt eine Playlist des Musikservers', { name: ['name', 'Welche'] }],
        },
      ],
      podcast: [
        'podcast',
        'Spielt die neuesten Folgen eines Podcasts',
        { show: ['sendung', 'Ihr Name oder die Adresse ihres Feeds'], episodes: ['folgen', 'Wie viele; sonst eine'] },
      ],
    },
  },
  fr: {
    labels: {
      library: [
        'bibliothèque',
        'Joue la musique propre à ce bot',
        {
          artist: ['artiste', 'Joue tout ce qu’il y a ici d’un artiste', { name: ['nom', 'Qui'] }],
          album: ['album', 'Joue un album', { name: ['nom', 'Lequel ; le nom de l’artiste aide aussi'] }],
          playlist: ['playlist', 'Joue une playlist du serveur de musique', { name: ['nom', 'Laquelle'] }],
        },
      ],
      podcast: [
        'podcast',
        'Joue les derniers épisodes d’un podcast',
        { show: ['émission', 'Son nom ou l’adresse de son flux'], episodes: ['épisodes', 'Combien ; un seul sinon'] },
      ],
    },
  },
  'es-ES': {
    labels: {
      library: [
        'biblioteca',
        'Pone la música propia de este bot',
        {
          artist: ['artista', 'Pone todo lo que hay aquí de un artista', { name: ['nombre', 'Quién'] }],
          album: ['álbum', 'Pone un álbum', { name: ['nombre', 'Cuál; también valen palabras del artista'] }],
          playlist: ['lista', 'Pone una lista del servidor de música', { name: ['nombre', 'Cuál'] }],
        },
      ],
      podcast: [
        'pódcast',
        'Pone los últimos episodios de un pódcast',
        { show: ['programa', 'Su nombre o la dirección de su feed'], episodes: ['episodios', 'Cuántos; si no, uno'] },
      ],
    },
  },
  'pt-BR': {
    labels: {
      library: [
        'biblioteca',
        'Toca a música própria deste bot',
        {
          artist: ['artista', 'Toca tudo o que há aqui de um artista', { name: ['nome', 'Quem'] }],
          album: ['álbum', 'Toca um álbum', { name: ['nome', 'Qual; palavras do artista também servem'] }],
          playlist: ['playlist', 'Toca uma playlist do servidor de música', { name: ['nome', 'Qual'] }],
        },
      ],
      podcast: [
        'podcast',
        'Toca os episódios mais novos de um podcast',
        { show: ['programa', 'O nome ou o endereço do feed'], episodes: ['episódios', 'Quantos; se vazio, um'] },
      ],
    },
  },
  ja: {
    labels: {
      library: [
        'ライブラリ',
        'このボット自身の音楽から再生します',
        {
          artist: ['アーティスト', 'そのアーティストの曲をすべて再生します', { name: ['名前', '誰の曲か'] }],
          album: ['アルバム', 'アルバムを再生します', { name: ['名前', 'どのアルバムか。アーティスト名でも探せます'] }],
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
          show: ['番組', '番組名、またはフィードのアドレス'],
          episodes: ['エピソード数', 'いくつ再生するか。省略すると1つ'],
        },
      ],
    },
  },
}
