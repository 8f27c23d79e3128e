import type { Localised, Widened } from '../i18n/languages.ts'
import type { Label } from '../i18n/labels.ts'

const en = {
  label: [
    'screenshot',
    'Take a screenshot of a website',
    {
      url: ['url', 'For example https://example.org'],
      device: ['device', 'Default: desktop', { desktop: 'Desktop', mobile: 'Phone' }],
      fullpage: ['fullpage', 'Capture the full page'],
    },
  ] as const satisfies Label,
  words: {
    screenshotsOff: 'Screenshots are turned off on this server.',
    badAddress: 'Enter the URL of a public website, like https://example.org.',
    notShown: (host: string) => `${host} is not responding or returned an error.`,
    tooSlow: (host: string) => `${host} took too long to load. Try again later.`,
    tooLarge: 'The screenshot is too large for a message. Try without the full page.',
  },
}

export type ScreenshotText = Widened<typeof en>

/** Texts of `/screenshot`. */
export const screenshotText: Localised<ScreenshotText> = {
  en,
  de: {
    label: [
      'bildschirmfoto',
      'Macht einen Screenshot einer Website',
      {
        url: ['url', 'Zum Beispiel https://example.org'],
        device: ['gerät', 'Sonst: Computer', { desktop: 'Computer', mobile: 'Handy' }],
        fullpage: ['ganze_seite', 'Die ganze Seite aufnehmen'],
      },
    ],
    words: {
      screenshotsOff: 'Screenshots sind auf diesem Server ausgeschaltet.',
      badAddress: 'Gib die URL einer öffentlichen Website ein, etwa https://example.org.',
      notShown: (host) => `${host} antwortet nicht oder nur mit einem Fehler.`,
      tooSlow: (host) => `${host} lädt zu lange. Versuch es später noch einmal.`,
      tooLarge: 'Der Screenshot ist zu groß für eine Nachricht. Versuch es ohne die ganze Seite.',
    },
  },
  fr: {
    label: [
      'capture',
      'Fait une capture d’un site web',
      {
        url: ['url', 'Par exemple https://example.org'],
        device: ['appareil', 'Ordinateur par défaut', { desktop: 'Ordinateur', mobile: 'Téléphone' }],
        fullpage: ['page_entière', 'Capturer la page entière'],
      },
    ],
    words: {
      screenshotsOff: 'Les captures d’écran sont désactivées sur ce serveur.',
      badAddress: 'Indique l’URL d’un site public, comme https://example.org.',
      notShown: (host) => `${host} ne répond pas ou renvoie une erreur.`,
      tooSlow: (host) => `${host} met trop de temps à charger. Réessaie plus tard.`,
      tooLarge: 'La capture est trop grande pour un message. Essaie sans la page entière.',
    },
  },
  'es-ES': {
    label: [
      'captura',
      'Hace una captura de un sitio web',
      {
        url: ['url', 'Por ejemplo https://example.org'],
        device: ['dispositivo', 'Si no: ordenador', { desktop: 'Ordenador', mobile: 'Móvil' }],
        fullpage: ['página_entera', 'Capturar la página entera'],
      },
    ],
    words: {
      screenshotsOff: 'Las capturas de pantalla están desactivadas en este servidor.',
      badAddress: 'Escribe la URL de un sitio público, como https://example.org.',
      notShown: (host) => `${host} no responde o devuelve un error.`,
      tooSlow: (host) => `${host} tarda demasiado en cargar. Inténtalo más tarde.`,
      tooLarge: 'La captura es demasiado grande para un mensaje. Prueba sin la página entera.',
    },
  },
  'pt-BR': {
    label: [
      'captura',
      'Faz uma captura de um site',
      {
        url: ['url', 'Por exemplo https://example.org'],
        device: ['aparelho', 'Senão: computador', { desktop: 'Computador', mobile: 'Celular' }],
        fullpage: ['página_inteira', 'Capturar a página inteira'],
      },
    ],
    words: {
      screenshotsOff: 'As capturas de tela estão desativadas neste servidor.',
      badAddress: 'Informe a URL de um site público, como https://example.org.',
      notShown: (host) => `${host} não responde ou retorna um erro.`,
      tooSlow: (host) => `${host} demora demais para carregar. Tente mais tarde.`,
      tooLarge: 'A captura é grande demais para uma mensagem. Tente sem a página inteira.',
    },
  },
  ja: {
    label: [
      'スクリーンショット',
      'ウェブサイトのスクリーンショットを撮ります',
      {
        url: ['url', '例：https://example.org'],
        device: ['端末', '省略するとパソコン', { desktop: 'パソコン', mobile: 'スマホ' }],
        fullpage: ['ページ全体', 'ページ全体を撮ります'],
      },
    ],
    words: {
      screenshotsOff: 'このサーバーではスクリーンショットがオフになっています。',
      badAddress: '公開サイトの URL を https://example.org のように入力してください。',
      notShown: (host) => `${host} が応答しないか、エラーを返しました。`,
      tooSlow: (host) => `${host} の読み込みに時間がかかりすぎました。後でもう一度お試しください。`,
      tooLarge: '画像が大きすぎて送信できません。ページ全体をオフにしてみてください。',
    },
  },
}
