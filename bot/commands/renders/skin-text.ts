import { inEachLanguage } from '../i18n/in-each-language.ts'

/** Texts of `/skin`. */
export const skinText = inEachLanguage({
  label: [
    ['skin', 'skin', 'skin', 'skin', 'skin', 'スキン'],
    [
      'Show a Minecraft player’s skin',
      'Zeigt den Skin eines Minecraft-Spielers',
      'Affiche le skin d’un joueur Minecraft',
      'Muestra la skin de un jugador de Minecraft',
      'Mostra a skin de um jogador de Minecraft',
      'Minecraft プレイヤーのスキンを表示します',
    ],
    {
      player: [
        ['player', 'spieler', 'joueur', 'jugador', 'jogador', 'プレイヤー'],
        [
          'Name, UUID, or gamertag with a leading dot',
          'Name, UUID oder Gamertag mit einem Punkt davor',
          'Nom, UUID ou gamertag précédé d’un point',
          'Nombre, UUID o gamertag con un punto delante',
          'Nome, UUID ou gamertag com um ponto antes',
          '名前、UUID、または先頭に点を付けたゲーマータグ',
        ],
      ],
      pose: [
        ['pose', 'haltung', 'pose', 'pose', 'pose', 'ポーズ'],
        [
          'Default: waving',
          'Sonst: winkend',
          'Sinon : salue',
          'Si no: saludando',
          'Senão: acenando',
          '省略すると「手を振る」',
        ],
        {
          wave: ['Waving', 'Winkend', 'Salue', 'Saludando', 'Acenando', '手を振る'],
          standing: ['Standing', 'Stehend', 'Debout', 'De pie', 'Em pé', '立つ'],
          sit: ['Sitting', 'Sitzend', 'Assis', 'Sentado', 'Sentado', '座る'],
          cutesit: [
            'Sitting on the ground',
            'Auf dem Boden sitzend',
            'Assis par terre',
            'Sentado en el suelo',
            'Sentado no chão',
            '地面に座る',
          ],
          handstand: [
            'Handstand',
            'Im Handstand',
            'Sur les mains',
            'Haciendo el pino',
            'Plantando bananeira',
            '逆立ち',
          ],
          showing_behind: ['From behind', 'Von hinten', 'De dos', 'De espaldas', 'De costas', '後ろ姿'],
          body: [
            'Straight, from above',
            'Gerade, von oben',
            'Droit, vu d’en haut',
            'Recto, desde arriba',
            'Reto, visto de cima',
            '直立（斜め上から）',
          ],
          front: [
            'Straight, from the front',
            'Gerade, von vorn',
            'Droit, vu de face',
            'Recto, de frente',
            'Reto, de frente',
            '直立（正面）',
          ],
          bust: [
            'Head and shoulders',
            'Kopf und Schultern',
            'La tête et les épaules',
            'La cabeza y los hombros',
            'A cabeça e os ombros',
            '胸から上',
          ],
          head: ['The head', 'Der Kopf', 'La tête', 'La cabeza', 'A cabeça', '頭だけ'],
          face: [
            'The face, flat',
            'Das Gesicht, flach',
            'Le visage, à plat',
            'La cara, plana',
            'O rosto, plano',
            '顔（平面）',
          ],
        },
      ],
    },
  ],
  words: {
    noSkin: [
      '{name} has no public skin.',
      '{name} hat keinen öffentlichen Skin.',
      '{name} n’a pas de skin public.',
      'No hay ninguna skin pública de {name}.',
      '{name} não tem skin pública.',
      '{name} のスキンは公開されていません。',
    ],
    badSkin: [
      'The skin of {name} cannot be rendered.',
      'Der Skin von {name} lässt sich nicht darstellen.',
      'Le skin de {name} ne peut pas être affiché.',
      'La skin de {name} no se puede dibujar.',
      'A skin de {name} não pode ser exibida.',
      '{name} のスキンは表示できません。',
    ],
  },
})
