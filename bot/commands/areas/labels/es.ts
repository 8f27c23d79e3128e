import type { Labels } from './labels.ts'

const member = ['miembro', 'A quién; a todos si no eliges'] as const

export const es: Labels = {
  weather: [
    'tiempo',
    'El tiempo que hace en una ciudad',
    { city: ['ciudad', 'Por ejemplo París, o Portland, ME, US'] },
  ],
  translate: [
    'traducir',
    'Traduce un texto',
    {
      text: ['texto', 'Lo que hay que traducir'],
      to: ['a', 'A qué idioma; el tuyo si no eliges'],
      from: ['de', 'Su idioma; se averigua si no eliges'],
    },
  ],
  translateMenu: ['Traducir', ''],
  verse: [
    'versículo',
    'Lee la Biblia o busca en ella',
    {
      passage: ['pasaje', 'Por ejemplo Juan 3:16-18, o palabras que buscar'],
      translation: ['traducción', 'Una en tu idioma si no eliges'],
    },
  ],
  holidays: [
    'festivos',
    'Los próximos festivos de un país',
    {
      country: ['país', 'Qué país'],
      state: ['región', 'Una de sus regiones'],
      year: ['año', 'Todos los de un año en lugar de los próximos'],
    },
  ],
  minecraft: [
    'minecraft',
    'Jugadores y servidores de Minecraft',
    {
      player: [
        'jugador',
        'Muestra un jugador',
        { name: ['nombre', 'Un nombre, un UUID o un gamertag con un punto delante'] },
      ],
      server: [
        'servidor',
        'Muestra quién está en un servidor',
        { address: ['dirección', 'Por ejemplo play.example.org'], edition: ['edición', 'Java si no eliges'] },
      ],
    },
  ],
  roblox: [
    'roblox',
    'Usuarios, grupos y juegos de Roblox',
    {
      user: ['usuario', 'Muestra un usuario', { name: ['nombre', 'Su nombre o su número'] }],
      group: ['grupo', 'Muestra un grupo', { id: ['número', 'El número de su dirección'] }],
      game: ['juego', 'Muestra un juego', { id: ['número', 'El número de su dirección'] }],
    },
  ],
  act: [
    'hacer',
    'Muestra lo que haces',
    { action: ['acción', 'Lo que haces'], member: ['miembro', 'A quién, si es a alguien'] },
  ],
  hug: ['abrazar', 'Abraza a alguien', { member }],
  pat: ['acariciar', 'Acaricia la cabeza a alguien', { member }],
  kiss: ['besar', 'Besa a alguien', { member }],
  cuddle: ['acurrucar', 'Se acurruca con alguien', { member: ['miembro', 'Con quién; con todos si no eliges'] }],
  slap: ['abofetear', 'Abofetea a alguien', { member }],
  poke: ['picar', 'Da un toque a alguien con el dedo', { member }],
  tickle: ['cosquillas', 'Hace cosquillas a alguien', { member }],
  highfive: ['chocala', 'Choca los cinco con alguien', { member: ['miembro', 'Con quién; con todos si no eliges'] }],
  wave: ['saludar', 'Saluda a alguien con la mano', { member }],
}
