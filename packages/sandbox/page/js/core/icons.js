/** Drawn here, 24 units wide, with a stroke. */
const PATHS = {
  menu: 'M4 7h16M4 12h16M4 17h16',
  people:
    'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6M3.5 19c.6-3.2 2.7-5 5.5-5s4.9 1.8 5.5 5M16 5.3a3 3 0 0 1 0 5.4M17 14.3c2 .5 3.2 2.1 3.6 4.7',
  hash: 'M9.5 4 7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16',
  voice: 'M4 9.5v5h3.5L12 18V6L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  stage: 'M4 19h16M6 19v-5h12v5M12 14V9M12 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
  mic: 'M12 3.5a2.5 2.5 0 0 0-2.5 2.5v5a2.5 2.5 0 0 0 5 0V6A2.5 2.5 0 0 0 12 3.5M6 11a6 6 0 0 0 12 0M12 17v3.5',
  'mic-off':
    'M9.5 9V6a2.5 2.5 0 0 1 5 0v4M14.5 12.5a2.5 2.5 0 0 1-4-.5M6 11a6 6 0 0 0 10 4.400M18 11a6 6 0 0 1-.6 2.600M12 17v3.5M4 4l16 16',
  ear: 'M6 13v4h3v-5H6a6 6 0 0 1 12 0h-3v5h3v-4',
  'ear-off': 'M6 13v4h3v-5H6a6 6 0 0 1 9.5-4.900M18 12.5V17h-3v-2M4 4l16 16',
  leave: 'M14 4h5v16h-5M4 12h10M10 8l4 4-4 4',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  play: 'M8 5v14l11-7z',
  stop: 'M6.5 6.5h11v11h-11z',
  send: 'M4 12 20 4l-5 16-3.5-6.5zM11.5 13.5 20 4',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  file: 'M7 3.5h7l4 4v13H7zM14 3.5v4h4',
  lock: 'M7 11V8a5 5 0 0 1 10 0v3M5.5 11h13v9h-13z',
  network: 'M4 17a11 11 0 0 1 16 0M7.5 14a6.5 6.5 0 0 1 9 0M12 19h.01M12 4v4',
  traffic: 'M7 20V5M3.5 8.5 7 5l3.5 3.5M17 4v15M13.5 15.5 17 19l3.5-3.5',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2.5V5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3 7 7M17 17l1.7 1.700M18.7 5.3 17 7M7 17l-1.7 1.7',
  moon: 'M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5',
  auto: 'M12 3.5a8.5 8.5 0 1 0 0 17zM12 3.5a8.5 8.5 0 0 1 0 17',
  chevron: 'm7 10 5 5 5-5',
  eye: 'M3 12c2.5-4 5.5-6 9-6s6.5 2 9 6c-2.5 4-5.5 6-9 6s-6.5-2-9-6M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5',
  reply: 'M4 14v-2a4 4 0 0 1 4-4h11M15 4l4 4-4 4',
  link: 'M14 4h6v6M20 4l-9 9M18 14v5.5H4.5V6H10',
  spark: 'M12 3.5 14 10l6.5 2-6.5 2-2 6.5-2-6.5-6.5-2 6.5-2z',
}

const SVG = 'http://www.w3.org/2000/svg'

export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', PATHS[name])
  svg.append(path)
  return svg
}
