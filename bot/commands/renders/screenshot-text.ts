import { inEachLanguage } from '../i18n/in-each-language.ts'

/** Texts of `/screenshot`. */
export const screenshotText = inEachLanguage({
  label: [
    ['screenshot', 'bildschirmfoto', 'capture', 'captura', 'captura', 'スクリーンショット'],
    [
      'Take a screenshot of a website',
      'Macht einen Screenshot einer Website',
      'Fait une capture d’un site web',
      'Hace una captura de un sitio web',
      'Faz uma captura de um site',
      'ウェブサイトのスクリーンショットを撮ります',
    ],
    {
      url: [
        ['url', 'url', 'url', 'url', 'url', 'url'],
        [
          'For example https://example.org',
          'Zum Beispiel https://example.org',
          'Par exemple https://example.org',
          'Por ejemplo https://example.org',
          'Por exemplo https://example.org',
          '例：https://example.org',
        ],
      ],
      device: [
        ['device', 'gerät', 'appareil', 'dispositivo', 'aparelho', '端末'],
        [
          'Default: desktop',
          'Sonst: Computer',
          'Ordinateur par défaut',
          'Si no: ordenador',
          'Senão: computador',
          '省略するとパソコン',
        ],
        {
          desktop: ['Desktop', 'Computer', 'Ordinateur', 'Ordenador', 'Computador', 'パソコン'],
          mobile: ['Phone', 'Handy', 'Téléphone', 'Móvil', 'Celular', 'スマホ'],
        },
      ],
      fullpage: [
        ['fullpage', 'ganze_seite', 'page_entière', 'página_entera', 'página_inteira', 'ページ全体'],
        [
          'Capture the full page',
          'Die ganze Seite aufnehmen',
          'Capturer la page entière',
          'Capturar la página entera',
          'Capturar a página inteira',
          'ページ全体を撮ります',
        ],
      ],
    },
  ],
  words: {
    screenshotsOff: [
      'Screenshots are turned off on this server.',
      'Screenshots sind auf diesem Server ausgeschaltet.',
      'Les captures d’écran sont désactivées sur ce serveur.',
      'Las capturas de pantalla están desactivadas en este servidor.',
      'As capturas de tela estão desativadas neste servidor.',
      'このサーバーではスクリーンショットがオフになっています。',
    ],
    badAddress: [
      'Enter the URL of a public website, like https://example.org.',
      'Gib die URL einer öffentlichen Website ein, etwa https://example.org.',
      'Indique l’URL d’un site public, comme https://example.org.',
      'Escribe la URL de un sitio público, como https://example.org.',
      'Informe a URL de um site público, como https://example.org.',
      '公開サイトの URL を https://example.org のように入力してください。',
    ],
    notShown: [
      '{host} is not responding or returned an error.',
      '{host} antwortet nicht oder nur mit einem Fehler.',
      '{host} ne répond pas ou renvoie une erreur.',
      '{host} no responde o devuelve un error.',
      '{host} não responde ou retorna um erro.',
      '{host} が応答しないか、エラーを返しました。',
    ],
    tooSlow: [
      '{host} took too long to load. Try again later.',
      '{host} lädt zu lange. Versuch es später noch einmal.',
      '{host} met trop de temps à charger. Réessaie plus tard.',
      '{host} tarda demasiado en cargar. Inténtalo más tarde.',
      '{host} demora demais para carregar. Tente mais tarde.',
      '{host} の読み込みに時間がかかりすぎました。後でもう一度お試しください。',
    ],
    tooLarge: [
      'The screenshot is too large for a message. Try without the full page.',
      'Der Screenshot ist zu groß für eine Nachricht. Versuch es ohne die ganze Seite.',
      'La capture est trop grande pour un message. Essaie sans la page entière.',
      'La captura es demasiado grande para un mensaje. Prueba sin la página entera.',
      'A captura é grande demais para uma mensagem. Tente sem a página inteira.',
      '画像が大きすぎて送信できません。ページ全体をオフにしてみてください。',
    ],
  },
})
