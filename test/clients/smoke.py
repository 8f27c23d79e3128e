"""Plays a track by the generated client, reads it back, and is refused. Arguments: the client's folder, then the service."""

import json
import sys

folder, base_url, key, guild_id, channel_id = sys.argv[1:]
sys.path.insert(0, folder)

import bandstand_api
from bandstand_api.rest import ApiException

configuration = bandstand_api.Configuration(host=base_url)
configuration.access_token = key
with bandstand_api.ApiClient(configuration) as client:
    music = bandstand_api.MusicApi(client)
    found = music.search_tracks(q="harbour lights", limit=3).data[0]
    body = bandstand_api.PlayRequest(query=found.title, channel_id=channel_id)
    played = music.play(guild_id, body).data
    player = music.get_player(guild_id).data
    volume = music.update_player(guild_id, update_player_request={"volume": 80}).data.volume
    try:
        music.seek_to_chapter(guild_id, bandstand_api.SeekToChapterRequest(chapter=99))
        refused = None
    except ApiException as error:
        refused = [error.status, json.loads(error.body)["error"]["code"]]
    music.close_player(guild_id)
    print(json.dumps([found.title, played.track.title, player.current.title, volume, refused]))
