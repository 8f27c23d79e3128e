#!/bin/sh
# Starts the browser without leaving anything behind: its profile is always in BROWSER_FOLDER,
# and a note there tells which process group to end and which other folder to remove. Features to switch on and
# off are added to the caller's, since the browser takes the last list only.
with=
without=
for argument do
  shift
  case $argument in
    --user-data-dir=*)
      echo "$$ ${argument#*=}" > "$BROWSER_FOLDER/browser.$BROWSER_ID"
      argument="--user-data-dir=$BROWSER_FOLDER/profile.$BROWSER_ID"
      ;;
    --enable-features=*)
      with=${argument#*=},
      continue
      ;;
    --disable-features=*)
      without=${argument#*=},
      continue
      ;;
  esac
  set -- "$@" "$argument"
done
exec "$BROWSER_PROGRAM" "$@" "--enable-features=$with$BROWSER_WITH" "--disable-features=$without$BROWSER_WITHOUT"
