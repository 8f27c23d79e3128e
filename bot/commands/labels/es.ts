import type { Labels } from './labels.ts'

export const es: Labels = {
  play: [
    'poner',
    'Pone una pista, una lista o una emisora',
    { query: ['búsqueda', 'Un título, un artista o un enlace'] },
  ],
  radio: ['radio', 'Pone una emisora de internet', { station: ['emisora', 'Su nombre; primero tus favoritas'] }],
  skip: ['saltar', 'Salta la pista, por votación si hay más gente escuchando'],
  previous: ['anterior', 'Vuelve a la pista anterior'],
  pause: ['pausa', 'Pone la música en pausa'],
  resume: ['seguir', 'Sigue con la música'],
  stop: ['parar', 'Para la música y sale del canal'],
  queue: ['cola', 'Muestra lo que sigue', { page: ['página', 'Qué página'] }],
  nowplaying: ['sonando', 'Muestra la tarjeta de lo que suena'],
  lyrics: ['letra', 'Muestra la letra de lo que suena', { follow: ['seguir', 'Hace que siga la música'] }],
  volume: ['volumen', 'Ajusta el volumen', { percent: ['porcentaje', '100 lo deja igual'] }],
  loop: [
    'repetir',
    'Repite la pista o la cola',
    { mode: ['modo', 'Qué se repite', { off: ['Nada', ''], track: ['Esta pista', ''], queue: ['La cola', ''] }] },
  ],
  filter: [
    'filtro',
    'Cambia cómo suena la música',
    {
      preset: [
        'efecto',
        'Cómo',
        {
          off: ['Ninguno', ''],
          bassboost: ['Más graves', ''],
          nightcore: ['Nightcore', ''],
          vaporwave: ['Vaporwave', ''],
          '8d': ['8D', ''],
          soft: ['Suave', ''],
        },
      ],
    },
  ],
  mute: ['silenciar', 'Sigue sonando en silencio'],
  unmute: ['oír', 'Hace que se oiga de nuevo'],
  seek: ['ir', 'Salta dentro de la pista', { time: ['tiempo', 'Por ejemplo 1:23'] }],
  shuffle: ['mezclar', 'Mezcla la cola'],
  remove: ['quitar', 'Quita una pista de la cola', { position: ['posición', '1 es la siguiente'] }],
  move: [
    'mover',
    'Mueve una pista dentro de la cola',
    { from: ['desde', 'Dónde está; 1 es la siguiente'], to: ['hasta', 'Dónde debe estar'] },
  ],
  clear: ['vaciar', 'Vacía la cola'],
  favourites: [
    'favoritos',
    'Tus pistas favoritas',
    {
      add: ['añadir', 'Guarda lo que suena'],
      list: ['lista', 'Muestra tus favoritos', { page: ['página', 'Qué página'] }],
      play: ['poner', 'Pone uno de tus favoritos, o todos', { track: ['pista', 'Todos si no eliges'] }],
      remove: ['quitar', 'Quita un favorito', { track: ['pista', 'Cuál'] }],
    },
  ],
  playlist: [
    'lista',
    'Tus listas guardadas',
    {
      save: ['guardar', 'Guarda lo que suena y espera', { name: ['nombre', 'Cómo llamarla'] }],
      load: ['cargar', 'Pone en la cola una de tus listas', { name: ['nombre', 'Cuál'] }],
      list: ['mostrar', 'Muestra tus listas'],
      delete: ['borrar', 'Borra una de tus listas', { name: ['nombre', 'Cuál'] }],
    },
  ],
  settings: [
    'ajustes',
    'Cómo se comporta el bot en este servidor',
    {
      show: ['mostrar', 'Muestra todos los ajustes'],
      dj: ['dj', 'Quién puede controlar la música', { role: ['rol', 'Todos los que escuchan si no eliges'] }],
      votes: ['votos', 'Cuántos oyentes deben estar de acuerdo', { percent: ['porcentaje', '0: sin votación'] }],
      stay: ['quedarse', 'Se queda siempre en el canal', { on: ['activo', 'Si se queda'] }],
      volume: ['volumen', 'El volumen inicial', { percent: ['porcentaje', '100 lo deja igual'] }],
      announce: [
        'tarjeta',
        'Dónde va la tarjeta de lo que suena',
        { channel: ['canal', 'Donde se pide música si no eliges'] },
      ],
      language: ['idioma', 'El idioma de la tarjeta', { language: ['idioma', 'El del servidor si no eliges'] }],
      duplicates: ['repetidas', 'Si una pista puede esperar dos veces', { on: ['activo', 'Si puede'] }],
      fair: ['justa', 'Si los miembros se turnan en la cola', { on: ['activo', 'Si lo hacen'] }],
      loudness: ['sonoridad', 'Si todas las pistas suenan igual de fuerte', { on: ['activo', 'Si es así'] }],
      limit: [
        'límite',
        'Cuántas pistas de un miembro pueden esperar',
        { tracks: ['pistas', 'Sin límite si no eliges'] },
      ],
      screenshots: ['capturas', 'Si los miembros pueden pedir capturas de sitios', { on: ['activo', 'Si pueden'] }],
      reset: ['restablecer', 'Deja todo como al principio'],
    },
  ],
  image: [
    'imagen',
    'Transforma una imagen',
    {
      filter: [
        'filtro',
        'Pasa una imagen por un filtro',
        {
          effect: ['efecto', 'Cuál'],
          member: ['miembro', 'El avatar de quién; el tuyo si no eliges'],
          picture: ['archivo', 'Una imagen en lugar de un avatar'],
          settings: ['valores', 'Por ejemplo radius=10; colour=58f'],
        },
      ],
      overlay: [
        'capa',
        'Dibuja algo sobre una imagen',
        {
          effect: ['efecto', 'Cuál'],
          member: ['miembro', 'El avatar de quién; el tuyo si no eliges'],
          picture: ['archivo', 'Una imagen en lugar de un avatar'],
          settings: ['valores', 'Por ejemplo radius=10; colour=58f'],
          with: ['con', 'De quién es el avatar de la segunda imagen'],
        },
      ],
    },
  ],
}
