import type { Labels } from './labels.ts'

const member = ['メンバー', '相手。選ばなければ全員'] as const

export const ja: Labels = {
  weather: ['天気', '都市の現在の天気を表示します', { city: ['都市', '例：Tokyo、Portland, ME, US'] }],
  translate: [
    '翻訳',
    '文章を翻訳します',
    {
      text: ['文章', '翻訳する文章'],
      to: ['翻訳先', '翻訳先の言語。選ばなければ自分の言語'],
      from: ['翻訳元', '元の言語。選ばなければ自動で判別'],
    },
  ],
  translateMenu: ['翻訳する', ''],
  verse: [
    '聖句',
    '聖書を読む、または検索します',
    {
      passage: ['箇所', '例：John 3:16-18、または検索する言葉'],
      translation: ['訳', '選ばなければ自分の言語の訳'],
    },
  ],
  holidays: [
    '祝日',
    '国の次の祝日を表示します',
    {
      country: ['国', 'どの国'],
      state: ['地域', '州や地域'],
      year: ['年', '次の祝日の代わりに、その年のすべて'],
    },
  ],
  minecraft: [
    'minecraft',
    'Minecraft のプレイヤーとサーバー',
    {
      player: [
        'プレイヤー',
        'プレイヤーを表示します',
        { name: ['名前', '名前、UUID、または先頭に点を付けたゲーマータグ'] },
      ],
      server: [
        'サーバー',
        'サーバーに誰がいるか表示します',
        { address: ['アドレス', '例：play.example.org'], edition: ['エディション', '選ばなければ Java'] },
      ],
    },
  ],
  roblox: [
    'roblox',
    'Roblox のユーザー、グループ、ゲーム',
    {
      user: ['ユーザー', 'ユーザーを表示します', { name: ['名前', '名前または番号'] }],
      group: ['グループ', 'グループを表示します', { id: ['番号', 'アドレスにある数字'] }],
      game: ['ゲーム', 'ゲームを表示します', { id: ['番号', 'アドレスにある数字'] }],
    },
  ],
  act: ['行動', 'していることを見せます', { action: ['行動', '何をするか'], member: ['メンバー', '相手がいれば'] }],
  hug: ['ハグ', '誰かをハグします', { member }],
  pat: ['なでる', '誰かの頭をなでます', { member }],
  kiss: ['キス', '誰かにキスします', { member }],
  cuddle: ['寄り添う', '誰かに寄り添います', { member }],
  slap: ['平手打ち', '誰かを平手打ちします', { member }],
  poke: ['つつく', '誰かをつつきます', { member }],
  tickle: ['くすぐる', '誰かをくすぐります', { member }],
  highfive: ['ハイタッチ', '誰かとハイタッチします', { member }],
  wave: ['手を振る', '誰かに手を振ります', { member }],
}
