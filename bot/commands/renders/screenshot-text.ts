import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'screenshot',
    'Show how a website looks',
    {
      url: ['url', 'Its address, like https://example.org'],
      device: ['device', 'Desktop unless you choose', { desktop: 'Desktop', mobile: 'Phone' }],
      fullpage: ['fullpage', 'The whole page instead of its beginning'],
    },
  ] as const satisfies Label,
  words: {
    screenshotsOff: 'Screenshots are switched off on this server.',
    badAddress: 'This is no address of a public website. Write it like https://example.org.',
    notShown: (host: string) => `${host} shows no page: it does not answer, or only with an error.`,
    tooSlow: (host: string) => `${host} took too long. Try again later.`,
    tooLarge: 'The picture is too large for a message. Try it without the full page.',
  },
}

export type ScreenshotText = Widened<typeof en>

/** Texts of `/screenshot`. */
export const screenshotText: Localised<ScreenshotText> = {
  en,
  de: {
    label: [
      'bildschirmfoto',
      'Zeigt, wie eine Website aussieht',
      {
        url: ['url', 'Ihre Adresse, wie https://example.org'],
        device: ['gerät', 'Computer, wenn du nichts wählst', { desktop: 'Computer', mobile: 'Handy' }],
        fullpage: ['ganze_seite', 'Die ganze Seite statt ihres Anfangs'],
      },
    ],
    words: {
      screenshotsOff: 'Screenshots sind auf diesem Server ausgeschaltet.',
      badAddress: 'Das ist keine Adresse einer öffentlichen Website. Schreib sie wie https://example.org.',
      notShown: (host) => `${host} zeigt keine Seite: Es antwortet nicht oder nur mit einem Fehler.`,
      tooSlow: (host) => `${host} hat zu lange gebraucht. Versuch es später noch einmal.`,
      tooLarge: 'Das Bild ist zu groß für eine Nachricht. Versuch es ohne die ganze Seite.',
    },
  },
  fr: {
    label: [
      'capture',
      'Montre l’apparence d’un site web',
      {
        url: ['url', 'Son adresse, comme https://example.org'],
        device: ['appareil', 'Ordinateur par défaut', { desktop: 'Ordinateur', mobile: 'Téléphone' }],
        fullpage: ['page_entière', 'La page entière au lieu de son début'],
      },
    ],
    words: {
      screenshotsOff: 'Les captures d’écran sont désactivées sur ce serveur.',
      badAddress: 'Ce n’est pas l’adresse d’un site public. Écris-la comme https://example.org.',
      notShown: (host) => `${host} n’affiche aucune page : il ne répond pas, ou seulement par une erreur.`,
      tooSlow: (host) => `${host} a mis trop de temps. Réessaie plus tard.`,
      tooLarge: 'L’image est trop grande pour un message. Essaie sans la page entière.',
    },
  },
  'es-ES': {
    label: [
      'captura',
      'Muestra el aspecto de un sitio web',
      {
        url: ['url', 'Su dirección, como https://example.org'],
        device: ['dispositivo', 'Ordenador si no eliges', { desktop: 'Ordenador', mobile: 'Móvil' }],
        fullpage: ['página_entera', 'La página entera en vez del principio'],
      },
    ],
    words: {
      screenshotsOff: 'Las capturas de pantalla están desactivadas en este servidor.',
      badAddress: 'Esto no es la dirección de un sitio público. Escríbela como https://example.org.',
      notShown: (host) => `${host} no muestra ninguna página: no responde, o solo con un error.`,
      tooSlow: (host) => `${host} tardó demasiado. Inténtalo más tarde.`,
      tooLarge: 'La imagen es demasiado grande para un mensaje. Prueba sin la página entera.',
    },
  },
  'pt-BR': {
    label: [
      'captura',
      'Mostra a aparência de um site',
      {
        url: ['url', 'O endereço, como https://example.org'],
        device: ['aparelho', 'Computador, se não escolher', { desktop: 'Computador', mobile: 'Celular' }],
        fullpage: ['página_inteira', 'A página inteira em vez do começo'],
      },
    ],
    words: {
      screenshotsOff: 'As capturas de tela estão desativadas neste servidor.',
      badAddress: 'Isto não é o endereço de um site público. Escreva como https://example.org.',
      notShown: (host) => `${host} não mostra nenhuma página: não responde, ou só com um erro.`,
      tooSlow: (host) => `${host} demorou demais. Tente mais tarde.`,
      tooLarge: 'A imagem é grande demais para uma mensagem. Tente sem a página inteira.',
    },
  },
  ja: {
    label: [
      'スクリーンショット',
      'ウェブサイトの見た目を表示',
      {
        url: ['url', 'https://example.org のようなアドレス'],
        device: ['端末', '選ばなければパソコン', { desktop: 'パソコン', mobile: 'スマホ' }],
        fullpage: ['ページ全体', '最初の部分だけでなくページ全体'],
      },
    ],
    words: {
      screenshotsOff: 'このサーバーではスクリーンショットがオフになっています。',
      badAddress: '公開されているサイトのアドレスではありません。https://example.org のように書いてください。',
      notShown: (host) => `${host} のページを表示できません。応答がないか、エラーが返されました。`,
      tooSlow: (host) => `${host} の応答に時間がかかりすぎました。後でもう一度お試しください。`,
      tooLarge: '画像が大きすぎて送信できません。ページ全体をオフにしてみてください。',
    },
  },
}
