/** Pages for the sheet of screenshots: an article, a shop made of pictures, and one that was never made for phones. */
export const SAMPLE_PAGES: Readonly<Record<string, string>> = {
  article: document(
    'The harbour at night',
    `<main><p class=kicker>Field notes</p><h1>The harbour at night</h1>
     ${paragraphs(9)}<blockquote>Nobody sings louder than a ship that has just come home.</blockquote>${paragraphs(9)}</main>
     <div id="onetrust-banner-sdk" class=banner>We value your privacy. <button>Accept all</button></div>`,
    `body{font:18px/1.6 Georgia,serif;background:#fbf7ef;color:#2a2622}main{max-width:680px;margin:40px auto;padding:0 20px}
     h1{font-size:46px;line-height:1.1}.kicker{color:#b3542d;text-transform:uppercase;letter-spacing:2px;font-size:14px}
     blockquote{border-left:6px solid #b3542d;margin:24px 0;padding:8px 20px;font-size:24px}
     .banner{position:fixed;inset:auto 0 0;padding:60px;background:#c00;color:#fff}`,
  ),
  records: document(
    'Records',
    `<header>Records, new this week</header><section>${Array.from({ length: 24 }, (_, at) => sleeve(at)).join('')}</section>`,
    `body{margin:0;font:16px sans-serif;background:#14161c;color:#e8eaf0}header{padding:24px;font-size:28px;background:#232735}
     section{display:grid;grid-template-columns:repeat(auto-fill,minmax(180px,1fr));gap:20px;padding:24px}
     figure{margin:0}img{width:100%;display:block;border-radius:8px}figcaption{padding:8px 2px}`,
  ),
  timetable: `<!doctype html><meta charset=utf-8><title>Timetable</title><style>
    body{width:980px;margin:0;font:15px sans-serif}h1{background:#1d4ed8;color:#fff;margin:0;padding:18px}
    table{border-collapse:collapse;width:100%}td,th{border:1px solid #9aa4b8;padding:7px 12px;text-align:left}
    tr:nth-child(even){background:#eef2fb}</style><h1>Ferries, winter timetable</h1><table>
    <tr><th>From<th>To<th>Leaves<th>Arrives<th>Deck${Array.from({ length: 40 }, (_, at) => sailing(at)).join('')}</table>`,
}

function document(title: string, body: string, style: string): string {
  return `<!doctype html><meta charset=utf-8><meta name=viewport content="width=device-width">
    <title>${title}</title><style>${style}</style><body>${body}`
}

function paragraphs(count: number): string {
  const text =
    'The cranes stand still, and the water has the colour of the lamps above it. A radio plays somewhere behind the ' +
    'containers, half a song and then the weather. Whoever works here now speaks quietly, as one does in a library.'
  return `<p>${text}</p>`.repeat(count)
}

/** A sleeve that is loaded only when it comes into view. */
function sleeve(at: number): string {
  const hue = (at * 47) % 360
  const art = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="hsl(${hue} 55% 42%)"/>
    <circle cx="${30 + (at % 5) * 10}" cy="50" r="${18 + (at % 4) * 6}" fill="hsl(${(hue + 140) % 360} 70% 62%)"/></svg>`
  return `<figure><img loading=lazy src="data:image/svg+xml,${encodeURIComponent(art)}"><figcaption>Side ${at + 1}</figcaption></figure>`
}

function sailing(at: number): string {
  const hour = 6 + Math.floor(at / 3)
  const minute = (at % 3) * 20
  const time = (hours: number) => `${String(hours).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  return `<tr><td>North quay<td>Lighthouse island<td>${time(hour)}<td>${time(hour + 1)}<td>${(at % 4) + 1}`
}

/** A page with an ad, a cookie banner, a dark side, and a part that comes late. */
export const OPTIONS_PAGE = `<!doctype html><title>Harbour Gazette</title>
<style>
  :root { color-scheme: light dark }
  body { margin: 0; font: 18px/1.5 'DejaVu Serif', serif; background: light-dark(#fbf9f4, #16181d); color: light-dark(#1e2430, #e6e3da) }
  main { max-width: 820px; margin: auto; padding: 30px 40px }
  h1 { font-size: 46px; margin: 0 0 10px }
  figure { margin: 24px 0; padding: 60px 30px; background: linear-gradient(120deg, #2b6c8f, #7cc4c0); color: #fff; font-size: 24px }
  .adsbygoogle { display: block; margin: 20px 0; padding: 34px; background: #ffd54a; color: #3a2c00; font: 26px 'DejaVu Sans', sans-serif; text-align: center }
  .late { margin: 20px 0; padding: 26px; background: #7d4bd0; color: #fff }
  #onetrust-banner-sdk { position: fixed; inset: auto 0 0; padding: 40px; background: #23304d; color: #fff; font: 20px 'DejaVu Sans', sans-serif }
</style>
<main><small>READER</small><h1>Harbour Gazette</h1><p>The ferries run again after the storm, and the market opens on Saturday.</p>
<ins class="adsbygoogle">Buy two anchors, get one free!</ins>
<figure>The light tower, freshly painted</figure><p>Visitors may climb its 148 steps from ten to four.</p></main>
<div id="onetrust-banner-sdk">We and our 214 partners value your privacy. <b>Accept all</b></div>
<script>setTimeout(() => document.querySelector('figure').insertAdjacentHTML('beforebegin', '<div class=late>Late news: the bridge is open</div>'), 2500)</script>`
