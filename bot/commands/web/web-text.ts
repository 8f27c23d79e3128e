import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'web',
    'Open the web player of this server',
    { signout: ['signout', 'Sign out all of your browsers'] },
  ] as const satisfies Label,
  words: {
    link: 'Your web player for this server. The link signs you in once, within 10 minutes: do not share it.',
    open: 'Open the player',
    signedOut: (count: string) => `Signed out. Browsers: ${count}.`,
    off: 'The web player is turned off.',
  },
}

/** Texts of `/web`. */
export const webText: Localised<Widened<typeof en>> = {
  en,
  de: {
    label: ['web', 'Öffnet den Web-Player dieses Servers', { signout: ['abmelden', 'Meldet alle deine Browser ab'] }],
    words: {
      link: 'Dein Web-Player für diesen Server. Der Link meldet dich einmal an und gilt 10 Minuten: Gib ihn nicht weiter.',
      open: 'Player öffnen',
      signedOut: (count) => `Abgemeldet. Browser: ${count}.`,
      off: 'Der Web-Player ist ausgeschaltet.',
    },
  },
  fr: {
    label: [
      'web',
      'Ouvre le lecteur web de ce serveur',
      { signout: ['déconnexion', 'Déconnecte tous tes navigateurs'] },
    ],
    words: {
      link: 'Ton lecteur web pour ce serveur. Le lien te connecte une seule fois, pendant 10 minutes : ne le partage pas.',
      open: 'Ouvrir le lecteur',
      signedOut: (count) => `Déconnecté. Navigateurs : ${count}.`,
      off: 'Le lecteur web est désactivé.',
    },
  },
  'es-ES': {
    label: [
      'web',
      'Abre el reproductor web de este servidor',
      { signout: ['cerrar-sesión', 'Cierra la sesión en todos tus navegadores'] },
    ],
    words: {
      link: 'Tu reproductor web para este servidor. El enlace inicia tu sesión una vez, durante 10 minutos: no lo compartas.',
      open: 'Abrir el reproductor',
      signedOut: (count) => `Sesión cerrada. Navegadores: ${count}.`,
      off: 'El reproductor web está desactivado.',
    },
  },
  'pt-BR': {
    label: [
      'web',
      'Abre o player web deste servidor',
      { signout: ['sair', 'Encerra a sessão em todos os seus navegadores'] },
    ],
    words: {
      link: 'Seu player web deste servidor. O link abre sua sessão uma vez, por 10 minutos: não compartilhe.',
      open: 'Abrir o player',
      signedOut: (count) => `Sessão encerrada. Navegadores: ${count}.`,
      off: 'O player web está desativado.',
    },
  },
  ja: {
    label: [
      'ウェブ',
      'このサーバーのウェブプレーヤーを開きます',
      { signout: ['ログアウト', 'すべてのブラウザーからログアウトします'] },
    ],
    words: {
      link: 'このサーバーのウェブプレーヤーです。リンクは 10 分以内に 1 回だけ使えます。他の人に渡さないでください。',
      open: 'プレーヤーを開く',
      signedOut: (count) => `ログアウトしました。ブラウザー：${count}`,
      off: 'ウェブプレーヤーはオフになっています。',
    },
  },
}
