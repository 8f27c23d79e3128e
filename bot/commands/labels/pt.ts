import type { Labels } from './labels.ts'

export const pt: Labels = {
  play: [
    'tocar',
    'Toca uma faixa, uma playlist ou uma rádio',
    { query: ['busca', 'Um título, um artista ou um link'] },
  ],
  radio: ['rádio', 'Toca uma rádio da internet', { station: ['estação', 'O nome; suas favoritas vêm primeiro'] }],
  skip: ['pular', 'Pula a faixa, por votação se houver mais gente ouvindo'],
  previous: ['anterior', 'Volta para a faixa anterior'],
  pause: ['pausar', 'Pausa a música'],
  resume: ['continuar', 'Continua a música'],
  stop: ['parar', 'Para a música e sai do canal'],
  queue: ['fila', 'Mostra o que vem a seguir', { page: ['página', 'Qual página'] }],
  nowplaying: ['tocando', 'Mostra o cartão do que está tocando'],
  lyrics: [
    'letra',
    'Mostra a letra do que está tocando',
    { follow: ['acompanhar', 'Faz a letra acompanhar a música'] },
  ],
  volume: ['volume', 'Ajusta o volume', { percent: ['porcentagem', '100 não muda nada'] }],
  loop: [
    'repetir',
    'Repete a faixa ou a fila',
    { mode: ['modo', 'O que se repete', { off: ['Nada', ''], track: ['Esta faixa', ''], queue: ['A fila', ''] }] },
  ],
  filter: [
    'filtro',
    'Muda o som da música',
    {
      preset: [
        'efeito',
        'Como',
        {
          off: ['Nenhum', ''],
          bassboost: ['Mais graves', ''],
          nightcore: ['Nightcore', ''],
          vaporwave: ['Vaporwave', ''],
          '8d': ['8D', ''],
          soft: ['Suave', ''],
        },
      ],
    },
  ],
  mute: ['silenciar', 'Continua em silêncio'],
  unmute: ['ouvir', 'Faz a música ser ouvida de novo'],
  seek: ['ir', 'Pula dentro da faixa', { time: ['tempo', 'Por exemplo 1:23'] }],
  shuffle: ['embaralhar', 'Embaralha a fila'],
  remove: ['remover', 'Remove uma faixa da fila', { position: ['posição', '1 é a próxima'] }],
  move: [
    'mover',
    'Move uma faixa dentro da fila',
    { from: ['de', 'Onde está; 1 é a próxima'], to: ['para', 'Onde deve ficar'] },
  ],
  clear: ['esvaziar', 'Esvazia a fila'],
  favourites: [
    'favoritos',
    'Suas faixas favoritas',
    {
      add: ['adicionar', 'Guarda o que está tocando'],
      list: ['lista', 'Mostra seus favoritos', { page: ['página', 'Qual página'] }],
      play: ['tocar', 'Toca um dos seus favoritos, ou todos', { track: ['faixa', 'Todos se você não escolher'] }],
      remove: ['remover', 'Remove um favorito', { track: ['faixa', 'Qual'] }],
    },
  ],
  playlist: [
    'playlist',
    'Suas playlists salvas',
    {
      save: ['salvar', 'Salva o que toca e espera', { name: ['nome', 'Como chamar'] }],
      load: ['carregar', 'Coloca na fila uma das suas playlists', { name: ['nome', 'Qual'] }],
      list: ['mostrar', 'Mostra suas playlists'],
      delete: ['apagar', 'Apaga uma das suas playlists', { name: ['nome', 'Qual'] }],
    },
  ],
  settings: [
    'configurações',
    'Como o bot se comporta neste servidor',
    {
      show: ['mostrar', 'Mostra todas as configurações'],
      dj: ['dj', 'Quem pode controlar a música', { role: ['cargo', 'Todos que ouvem se você não escolher'] }],
      votes: ['votos', 'Quantos ouvintes precisam concordar', { percent: ['porcentagem', '0: sem votação'] }],
      stay: ['ficar', 'Fica no canal o tempo todo', { on: ['ativo', 'Se fica'] }],
      volume: ['volume', 'O volume inicial', { percent: ['porcentagem', '100 não muda nada'] }],
      announce: [
        'cartão',
        'Onde vai o cartão do que está tocando',
        { channel: ['canal', 'Onde a música é pedida se você não escolher'] },
      ],
      language: ['idioma', 'O idioma do cartão', { language: ['idioma', 'O do servidor se você não escolher'] }],
      duplicates: ['repetidas', 'Se uma faixa pode esperar duas vezes', { on: ['ativo', 'Se pode'] }],
      fair: ['justa', 'Se os membros se revezam na fila', { on: ['ativo', 'Se fazem isso'] }],
      loudness: ['sonoridade', 'Se todas as faixas tocam com a mesma altura', { on: ['ativo', 'Se tocam'] }],
      limit: [
        'limite',
        'Quantas faixas de um membro podem esperar',
        { tracks: ['faixas', 'Sem limite se não escolher'] },
      ],
      screenshots: ['capturas', 'Se os membros podem pedir capturas de sites', { on: ['ativo', 'Se podem'] }],
      reset: ['redefinir', 'Deixa tudo como no começo'],
    },
  ],
  image: [
    'imagem',
    'Transforma uma imagem',
    {
      filter: [
        'filtro',
        'Passa uma imagem por um filtro',
        {
          effect: ['efeito', 'Qual'],
          member: ['membro', 'O avatar de quem; o seu, se não escolher'],
          picture: ['arquivo', 'Uma imagem em vez de um avatar'],
          settings: ['valores', 'Por exemplo radius=10; colour=58f'],
        },
      ],
      overlay: [
        'camada',
        'Desenha algo sobre uma imagem',
        {
          effect: ['efeito', 'Qual'],
          member: ['membro', 'O avatar de quem; o seu, se não escolher'],
          picture: ['arquivo', 'Uma imagem em vez de um avatar'],
          settings: ['valores', 'Por exemplo radius=10; colour=58f'],
          with: ['com', 'De quem é o avatar da segunda imagem'],
        },
      ],
    },
  ],
}
