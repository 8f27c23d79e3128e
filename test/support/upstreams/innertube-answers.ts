const BOT_CHECK = 'Sign in to confirm you’re not a bot'

/** YouTube's reasons for unavailable videos, by id. */
export const REFUSED: Readonly<Record<string, readonly [status: string, reason: string]>> = {
  bbbbbbbbbbb: ['LOGIN_REQUIRED', BOT_CHECK],
  uuuuuuuuuuu: ['ERROR', 'Video unavailable'],
  ppppppppppp: ['LOGIN_REQUIRED', 'This video is private'],
  ggggggggggg: ['AGE_CHECK_REQUIRED', 'Sign in to confirm your age'],
  rrrrrrrrrrr: ['UNPLAYABLE', 'The uploader has not made this video available in your country'],
  mmmmmmmmmmm: ['UNPLAYABLE', 'Join this channel to get access to members-only content like this video'],
  kkkkkkkkkkk: ['LIVE_STREAM_OFFLINE', 'This live event will begin in 3 hours.'],
}

/** Turns a signature round, as small as the library's search for it allows. */
export function playerScript(extra: string): string {
  return `var _yt_player={};(function(g){
var Tn=function(){return {signatureTimestamp:20000}};
g.Kz=class{constructor(u){this.u=u;this.v={}}set(a,b){this.v[a]=b}get(a){return this.v[a]}go(){${extra}}};
var XQ=function(url,sp="",s=""){url=new g.Kz(url);url.set("alr","yes");s&&url.set(sp,s.split("").reverse().join(""));return url};
g.use=[Tn,XQ];
})(_yt_player);`
}
