"""A bot of discord.py as Debian has it (python3-discord): it reads what to do as lines of JSON, and answers in lines."""

import asyncio
import base64
import io
import json
import sys
import traceback

import discord
import yarl


def write(line):
    print(json.dumps(line), flush=True)


def tell(what, detail=''):
    write({'told': {'what': what, 'detail': str(detail)}})


class Form(discord.ui.Modal, title='Who are you?'):
    name = discord.ui.TextInput(label='Name', custom_id='name')

    def __init__(self):
        super().__init__(custom_id='who')

    async def on_submit(self, interaction):
        await interaction.response.send_message(f'hello {self.name.value}')


class Panel(discord.ui.View):
    @discord.ui.button(label='Press', custom_id='press')
    async def press(self, interaction, _button):
        await interaction.response.edit_message(content='pressed', view=None)

    @discord.ui.button(label='Form', custom_id='form')
    async def form(self, interaction, _button):
        await interaction.response.send_modal(Form())

    @discord.ui.select(
        custom_id='colour',
        options=[discord.SelectOption(label='Red', value='red'), discord.SelectOption(label='Blue', value='blue')],
    )
    async def colour(self, interaction, select):
        await interaction.response.send_message(f'you chose {select.values[0]}', ephemeral=True)

    async def on_error(self, _interaction, error, _item):
        tell('error', error)


class Voice(discord.VoiceClient):
    async def on_voice_server_update(self, data):
        await super().on_voice_server_update(data)
        # It leaves the port out, since that of Discord's own voice servers is always 443.
        self.endpoint = data['endpoint']


class Bot(discord.Client):
    def __init__(self):
        intents = discord.Intents.default()
        intents.members = True
        intents.message_content = True
        super().__init__(intents=intents)
        self.tree = discord.app_commands.CommandTree(self)
        self.tree.command(name='echo', description='Says it again.')(self.echo)
        self.tree.command(name='panel', description='Shows buttons and a menu.')(self.panel)
        self.tree.command(name='later', description='Thinks first.')(self.later)
        self.has_logged_in = asyncio.Event()

    async def echo(self, interaction: discord.Interaction, text: str):
        await interaction.response.send_message(text)

    async def panel(self, interaction: discord.Interaction):
        await interaction.response.send_message('Choose.', view=Panel())

    async def later(self, interaction: discord.Interaction):
        await interaction.response.defer()
        await interaction.edit_original_response(content='done')

    async def on_ready(self):
        for guild in self.guilds:
            tell('guild', guild.name)
            # Members other than itself and those in voice come in chunks, which it asks for.
            tell('members', f'{len(guild.members)} of {guild.member_count}')
        self.has_logged_in.set()

    async def on_error(self, *_args):
        tell('error', traceback.format_exc())

    async def on_message(self, message):
        tell('message', message.content)
        if message.content == '!ping':
            await message.reply('pong')

    async def on_reaction_add(self, reaction, _user):
        tell('reaction', reaction.emoji)

    async def do_register(self):
        await self.tree.sync()

    async def do_say(self, channel_id, content):
        return str((await self.get_channel(int(channel_id)).send(content)).id)

    async def do_edit(self, channel_id, message_id, content):
        await self.message_of(channel_id, message_id).edit(content=content)

    async def do_react(self, channel_id, message_id, emoji):
        await self.message_of(channel_id, message_id).add_reaction(emoji)

    async def do_remove(self, channel_id, message_id):
        await self.message_of(channel_id, message_id).delete()

    async def do_upload(self, channel_id, name, content):
        file = discord.File(io.BytesIO(base64.b64decode(content)), name)
        return str((await self.get_channel(int(channel_id)).send(file=file)).id)

    async def do_write(self, user_id, content):
        """Into direct messages."""
        return str((await self.get_user(int(user_id)).send(content)).channel.id)

    async def do_join(self, guild_id, channel_id):
        """Waits for the voice server, too: told late, its token would be taken for that of the next join."""
        guild = self.get_guild(int(guild_id))
        told = asyncio.ensure_future(
            self.wait_for('socket_event_type', check=lambda name: name == 'VOICE_SERVER_UPDATE', timeout=10)
        )
        await guild.change_voice_state(channel=guild.get_channel(int(channel_id)))
        await told

    async def do_speak(self, channel_id):
        """It takes the first encryption mode that it shares with the voice server, and there is none any more."""
        try:
            await self.get_channel(int(channel_id)).connect(timeout=10, reconnect=False, cls=Voice)
            return 'connected'
        except IndexError:
            return 'no encryption mode'

    async def do_leave(self):
        for guild in self.guilds:
            await guild.change_voice_state(channel=None)

    def message_of(self, channel_id, message_id):
        return self.get_channel(int(channel_id)).get_partial_message(int(message_id))


async def answer(bot, line):
    call = json.loads(line)
    try:
        result = await getattr(bot, f'do_{call["call"]}')(*call['args'])
        write({'id': call['id'], 'result': result})
    except Exception:
        write({'id': call['id'], 'error': traceback.format_exc()})


async def main():
    url, token = sys.argv[1:]
    discord.http.Route.BASE = f'{url}/api/v10'
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url.replace('http', 'ws'))
    async with Bot() as bot:
        running = asyncio.ensure_future(bot.start(token))
        await asyncio.wait([running, asyncio.ensure_future(bot.has_logged_in.wait())], return_when='FIRST_COMPLETED')
        if running.done():
            running.result()
        write({'id': 0, 'result': str(bot.user.id)})
        reader = asyncio.StreamReader(limit=1 << 20)
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        tasks = set()
        while line := await reader.readline():
            task = asyncio.ensure_future(answer(bot, line))
            tasks.add(task)
            task.add_done_callback(tasks.discard)


asyncio.run(main())
