import type { Localised, Widened } from '../i18n/languages.ts'

const en = {
  noSkin: (name: string) => `No skin of ${name} is public.`,
  badSkin: (name: string) => `The skin of ${name} cannot be drawn.`,
  screenshotsOff: 'Screenshots are switched off on this server.',
  badAddress: 'This is no address of a public website. Write it like https://example.org.',
  notShown: (host: string) => `${host} shows no page: it does not answer, or only with an error.`,
  tooSlow: (host: string) => `${host} took too long. Try again later.`,
  tooLarge: 'The picture is too large for a message. Try it without the full page.',
}

export type RenderWords = Widened<typeof en>

const de: RenderWords = {
  noSkin: (name) => `Von ${name} ist kein Skin öffentlich.`,
  badSkin: (name) => `Der Skin von ${name} lässt sich nicht zeichnen.`,
  screenshotsOff: 'Bildschirmfotos sind auf diesem Server ausgeschaltet.',
  badAddress: 'Das ist keine Adresse einer öffentlichen Website. Schreib sie wie https://example.org.',
  notShown: (host) => `${host} zeigt keine Seite: Es antwortet nicht oder nur mit einem Fehler.`,
  tooSlow: (host) => `${host} hat zu lange gebraucht. Versuch es später noch einmal.`,
  tooLarge: 'Das Bild ist zu groß für eine Nachricht. Versuch es ohne die ganze Seite.',
}

const fr: RenderWords = {
  noSkin: (name) => `Aucun skin de ${name} n’est public.`,
  badSkin: (name) => `Le skin de ${name} ne peut pas être dessiné.`,
  screenshotsOff: 'Les captures d’écran sont désactivées sur ce serveur.',
  badAddress: 'Ce n’est pas l’adresse d’un site public. Écris-la comme https://example.org.',
  notShown: (host) => `${host} n’affiche aucune page : il ne répond pas, ou seulement par une erreur.`,
  tooSlow: (host) => `${host} a mis trop de temps. Réessaie plus tard.`,
  tooLarge: 'L’image est trop grande pour un message. Essaie sans la page entière.',
}

const es: RenderWords = {
  noSkin: (name) => `No hay ninguna skin pública de ${name}.`,
  badSkin: (name) => `La skin de ${name} no se puede dibujar.`,
  screenshotsOff: 'Las capturas de pantalla están desactivadas en este servidor.',
  badAddress: 'Esto no es la dirección de un sitio público. Escríbela como https://example.org.',
  notShown: (host) => `${host} no muestra ninguna página: no responde, o solo con un error.`,
  tooSlow: (host) => `${host} tardó demasiado. Inténtalo más tarde.`,
  tooLarge: 'La imagen es demasiado grande para un mensaje. Prueba sin la página entera.',
}

const pt: RenderWords = {
  noSkin: (name) => `Nenhuma skin de ${name} é pública.`,
  badSkin: (name) => `A skin de ${name} não pode ser desenhada.`,
  screenshotsOff: 'As capturas de tela estão desativadas neste servidor.',
  badAddress: 'Isto não é o endereço de um site público. Escreva como https://example.org.',
  notShown: (host) => `${host} não mostra nenhuma página: não responde, ou só com um erro.`,
  tooSlow: (host) => `${host} demorou demais. Tente mais tarde.`,
  tooLarge: 'A imagem é grande demais para uma mensagem. Tente sem a página inteira.',
}

const ja: RenderWords = {
  noSkin: (name) => `${name} のスキンは公開されていません。`,
  badSkin: (name) => `${name} のスキンは描けません。`,
  screenshotsOff: 'このサーバーではスクリーンショットがオフになっています。',
  badAddress: '公開されているサイトのアドレスではありません。https://example.org のように書いてください。',
  notShown: (host) => `${host} のページを表示できません。応答がないか、エラーが返されました。`,
  tooSlow: (host) => `${host} の応答に時間がかかりすぎました。後でもう一度お試しください。`,
  tooLarge: '画像が大きすぎて送信できません。ページ全体をオフにしてみてください。',
}

/** What the commands of skins and screenshots say. */
export const RENDER_WORDS: Localised<RenderWords> = { en, de, fr, 'es-ES': es, 'pt-BR': pt, ja }
