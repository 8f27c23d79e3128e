import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'web',
    'Open the player of this server in your browser',
    { signout: ['signout', 'End the player in all of your browsers instead'] },
  ] as const satisfies Label,
  words: {
    link: 'Your player for this server: what plays, lyrics, queue and search. The link works once, within 10 minutes. It is you, so keep it to yourself.',
    open: 'Open the player',
    signedOut: (count: string) => `Signed out. Browsers that were signed in: ${count}.`,
    off: 'The player in the browser is switched off here.',
  },
}

/** Texts of `/web`. */
export const webText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: [
      'web',
      'Öffnet den Player dieses Servers in deinem Browser',
      { signout: ['abmelden', 'Beendet ihn stattdessen in allen deinen Browsern'] },
    ],
    words: {
      link: 'Dein Player für diesen Server: was läuft, Liedtext, Warteschlange und Suche. Der Link gilt einmal und 10 Minuten lang. Er meldet dich an, also behalte ihn für dich.',
      open: 'Player öffnen',
      signedOut: (count) => `Abgemeldet. Angemeldete Browser: ${count}.`,
      off: 'Der Player im Browser ist hier ausgeschaltet.',
    },
  },
  fr: {
    label: [
      'web',
      'Ouvre le lecteur de ce serveur dans ton navigateur',
      { signout: ['déconnexion', 'Le ferme plutôt dans tous tes navigateurs'] },
    ],
    words: {
      link: 'Ton lecteur pour ce serveur : le titre en cours, les paroles, la file et la recherche. Le lien sert une seule fois, pendant 10 minutes. Il te connecte, ne le partage pas.',
      open: 'Ouvrir le lecteur',
      signedOut: (count) => `Déconnecté. Navigateurs qui étaient connectés : ${count}.`,
      off: 'Le lecteur dans le navigateur est désactivé ici.',
    },
  },
  'es-ES': {
    label: [
      'web',
      'Abre el reproductor de este servidor en tu navegador',
      { signout: ['cerrar-sesión', 'Lo cierra en todos tus navegadores'] },
    ],
    words: {
      link: 'Tu reproductor para este servidor: lo que suena, la letra, la cola y la búsqueda. El enlace sirve una vez, durante 10 minutos. Inicia tu sesión: no lo compartas.',
      open: 'Abrir el reproductor',
      signedOut: (count) => `Sesión cerrada. Navegadores que la tenían abierta: ${count}.`,
      off: 'El reproductor en el navegador está desactivado aquí.',
    },
  },
  'pt-BR': {
    label: [
      'web',
      'Abre o player deste servidor no seu navegador',
      { signout: ['sair', 'Encerra o player em todos os seus navegadores'] },
    ],
    words: {
      link: 'Seu player deste servidor: o que está tocando, a letra, a fila e a busca. O link vale uma vez, por 10 minutos. Ele entra como você: não compartilhe.',
      open: 'Abrir o player',
      signedOut: (count) => `Sessão encerrada. Navegadores que estavam conectados: ${count}.`,
      off: 'O player no navegador está desativado aqui.',
    },
  },
  ja: {
    label: [
      'ウェブ',
      'このサーバーのプレーヤーをブラウザーで開きます',
      { signout: ['ログアウト', '代わりに、すべてのブラウザーで終了します'] },
    ],
    words: {
      link: 'このサーバー用のプレーヤーです。再生中の曲、歌詞、キュー、検索を使えます。リンクは10分以内に1回だけ有効です。あなたとしてログインするので、他の人に渡さないでください。',
      open: 'プレーヤーを開く',
      signedOut: (count) => `ログアウトしました。ログインしていたブラウザー: ${count}`,
      off: 'ブラウザーのプレーヤーはここではオフになっています。',
    },
  },
}
