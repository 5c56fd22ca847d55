/** Output of `--help`. */
export const help = `Stashlight's command line.

  npm run stashlight -- vault status [--json]
      Shows the state of every node and drive of the vault, problems first. Exit code 1 unless all coordinators accept uploads.
      With STASHLIGHT_URL and STASHLIGHT_TOKEN (right vaults:read) it shows the console's durability, which includes
      earlier rebuilds, failures, SMART and the stash; without them, the durability of this moment.

  npm run stashlight -- vault load [--size 256KiB] [--concurrency 16] [--seconds 30] [--rate NUMBER] [--bucket load]
                                   [--journal FILE] [--keep]
      Uploads as fast as the vault accepts, and reports rates and latencies. It deletes its objects at the end, unless
      --keep is given. A bucket takes one load at a time. --journal records what was acknowledged, for verify.
      With --rate, this many uploads per second begin at random moments, like those of many independent clients
      (Poisson), with at most --concurrency in progress.

  npm run stashlight -- vault verify [--bucket NAME] [--journal FILE]
      Reads back every object that is listed, and every one that the journal records as acknowledged, and compares its MD5
      with its ETag. Reports how many shards are durable, and names every object and bucket that is lost. Exit code 1 if
      anything is lost or wrong.

  npm run stashlight -- vault lost [--json]
      Lists the objects that exist but cannot be read, because too few of their shards are readable, and names the drives
      responsible. They stay listed and become readable again when their drives are back. Exit code 1 if there are any.

  npm run stashlight -- vault lifecycle BUCKET [--rules FILE] [--json]
      Shows what lifecycle rules would delete now: objects, bytes and the oldest one of each rule. --rules
      previews unsaved rules, as JSON for aws-cli or as XML; without it, the current rules are previewed.

  npm run stashlight -- vault give-up BUCKET/KEY [--yes]
      Deletes for good an object that vault lost names, once you have typed its key; --yes skips this. It is refused for
      an object that can be read, or may be read again when drives answer. The coordinator records the deletion in
      audit.log in its state folder.

  npm run stashlight -- vault encryption show | enable [--new-buckets AES256|none] | rotate | drop-old-keys |
                                         destroy-key BUCKET [--yes]
      The vault's encryption key, which is in encryption.key beside the vault's file. enable creates it; restart the
      coordinators afterwards. rotate adds a version and wraps the keys of all buckets with it; run it again if it was
      interrupted. drop-old-keys removes versions that no bucket needs. destroy-key makes the encrypted objects of a bucket
      unreadable for good, once you have typed its name. Exit code 1 if the key is not available, or a rotation is incomplete.

  npm run stashlight -- vault scrub [--drive p3 ...] [--rate 32MB] [--wait | --stop]
      Reads everything on the drives from the beginning and compares it with its checksums, as the scheduled rounds do
      within 30 days (scrubDays in the vault's file). --rate limits the bytes read from each disk per second; while
      other work keeps the disk busy, the limit is an eighth of it. With --wait it shows progress and findings: exit
      code 1 if records are still corrupt or cannot be read. The round survives restarts; a repeated command joins it;
      --stop returns to the scheduled rounds.

  npm run stashlight -- vault drill power-cut [--times 1] [--size 64KiB] [--concurrency 8]
      Kills every process of a vault under load, starts it again and verifies, repeatedly. It uses a temporary
      vault whose drives lose unsynced data when their process is killed; with --config, a vault that is not running.

  npm run stashlight -- vault drill full [--rounds 10] [--clients 8] [--size 256KiB] [--pod-size 96MiB] [--seed NUMBER]
      Fills a vault until it answers 507, verifies it, deletes half while agents are killed (kill -9) and restarted, fills
      and verifies it again, deletes everything, and waits until uploads are accepted. Shows times and memory per round.
      It uses a temporary vault with a drive of --pod-size for each pod; with --config, a vault that is not running.
      Exit code 1 if an object is lost or wrong, a deleted one is back, or a client gets a wrong answer.

  npm run stashlight -- vault keys
      Creates a key for every node without one and the token of the vault's admin pages, and adds them to the vault's
      file. A private key is written to the state folder of its node; copy it there if the node runs on another machine.
      npm start does all this itself.

  npm run stashlight -- vault create LAYOUT [--folder FOLDER] [--accept-weak]
      Creates a vault of several machines from a layout (docs/vault-life-cycle.md has one): the vault's file, its
      authority, an access key, and a bundle for each machine. Describes the losses that the placement would not survive;
      a vault that would not survive the loss of one machine needs --accept-weak. The folder is named after the vault unless
      it is given.

  npm run stashlight -- vault bundle MACHINE --folder FOLDER
      Makes another bundle for a machine of the vault in FOLDER, with new keys and certificates.

  npm run stashlight -- vault renew --folder FOLDER [--keys]
      Gives the running nodes of the vault in FOLDER new certificates, and with --keys new keys as well. Nothing stops.
      Exit code 1 if a node did not answer; run it again once that node is back.

  npm run stashlight -- vault join BUNDLE [--folder /var/lib/stashlight] [--token ROLE=TOKEN ...] [--user stashlight]
                                   [--run | --no-start]
      Makes this machine part of a vault: checks clock, addresses and drives, formats empty drives, enrols the nodes at
      the console, and installs and starts systemd services. With --run the nodes run in the foreground instead. It may
      be killed and repeated at any time. A drive that holds anything else is never touched.

  npm run stashlight -- vault run [--folder /var/lib/stashlight]
      Runs the nodes of this machine in the foreground, and restarts those that exit.

  npm run stashlight -- vault restart --rolling | MACHINE [--accept-weak] [--notice 10] [--fresh]
      Restarts the agents of all machines, or of one machine, one at a time and without failed uploads. Before each restart
      it waits until the vault is whole; the agent then finishes its requests, flushes its drives and exits, and its
      supervisor starts it again. A coordinator reports not ready for --notice seconds before it refuses connections. If
      interrupted, --rolling continues with the remaining agents; --fresh starts over. Exit code 1: the vault did not
      become whole. Exit code 3: the remaining restarts would stop all uploads; --accept-weak allows them.

  npm run stashlight -- vault replace-drive DRIVE [--path FOLDER] [--no-wait]
      Puts an empty drive in the place of DRIVE (p3, s7) while the vault runs, and shows how far the rebuild is. The new
      drive is mounted at the path of the old one, or at --path; a folder that is missing or not empty is refused. Run
      again, it continues to show the rebuild.

  npm run stashlight -- vault replace-machine MACHINE --config photos/vault.json [--address ADDRESS] [--keep-drives]
                                              [--again] [--accept-loss] [--no-wait]
      Replaces the lost MACHINE by another one with the same nodes: makes its bundle, and shows the rebuild once it has
      joined. With --keep-drives the old drives are in the new machine. --again replaces a replacement that was lost as
      well; --accept-loss gives up shards that only the lost drives may hold. Run again, it continues.

  npm run stashlight -- vault rebuild [--rate 20MB]
      Shows how many shards pods lack, when all will be back, and how many shards uploads can spare until then. --rate
      limits how fast each pod gets them back (default 32MB per second).

  npm run stashlight -- vault add-coordinator FILE
      Adds a coordinator with its own S3 endpoint to a running vault. FILE is JSON. In the folder of vault create it has
      machine, address, zone and port (omit address for a machine already in the vault), and the command creates the
      machine's bundle. Elsewhere it has id, host, port, adminPort, stateFolder, s3 (host and port), and with certificates
      tls. The change is recorded in a coordinator's audit.log.

  npm run stashlight -- vault add-stash FILE
      Adds a stash server to a running vault. FILE is JSON: id, host, port, adminPort, stateFolder, drives (a list of
      folders), and with certificates tls. It explains what to start on the new machine. In the folder of vault create FILE is
      machine, address, zone, port and drives, and the command makes the machine's bundle.

  npm run stashlight -- vault drain NODE [--undo] [--no-wait]
      A stash server gets no new shards, and the command waits until it holds none.

  npm run stashlight -- vault quarantine DRIVE [--dry-run]
  npm run stashlight -- vault release DRIVE [--dry-run]
      Stops new shards to a slow stash device (s7) until it is released; its shards are still read and purged. Prints the
      cost in nines first; --dry-run stops there. Refuses pods, and any device without which uploads would have too few.
      Coordinators record the change in audit.log.

  npm run stashlight -- vault remove NODE [--lost]
      Removes a drained stash server, or the most recently added coordinator, from a running vault. A coordinator first
      reports not ready for 10 s, and another coordinator records the removal in its audit.log; the only coordinator cannot
      be removed. --lost also removes a server that is permanently lost with its content.

  npm run stashlight -- plan --input FILE [--set NAME=NUMBER ...] [--hdd-model MODEL] [--require-nines 11]
                                     [--json]
      Computes how many SSDs the stash needs, and why, and how many nines a stored object has. FILE is JSON; "-" is
      standard input. --set replaces an input, such as hddBytes=24e12; without --input it changes the example. --hdd-model
      takes the failure rate of a model, such as ST16000NM001G, from published counts. Exit code 0 if the installed pool
      suffices or none is given, 2 if it does not, 3 if an object has fewer nines than --require-nines, 1 if the input is
      wrong, with a sentence for each mistake.

  npm run stashlight -- plan --from-log FILE [--from-log FILE ...] [--small 1MiB] [--input FILE] [--listing-rate] [--json]
      Plans for the load found in access logs or listings of a bucket: S3 server access logs (also as B2 writes
      them), W3C extended logs such as CloudFront's, JSON lines, aws s3 ls, list-objects JSON and S3 Inventory as CSV; they
      may be gz, and "-" is standard input. Uploads of at most --small use the stash. Everything else comes from the
      example, or from --input. A listing has sizes; with --listing-rate its rate is used too, which is too low.

  npm run stashlight -- plan --example
      Prints an example input as JSON.

  npm run stashlight -- bench run --endpoint FILE [--endpoint FILE ...] --preset NAME [--set PARAMETER=VALUE ...]
                                  [--slots 1] [--seed NUMBER] [--limit "PUT 256kB p95 150ms" ...]
                                  [--restore 100x100MB@16 ...] [--max-cost 0.50] [--output FOLDER]
                                  [--json]
      Measures object stores from this machine, without a console or a database, and removes what it wrote. FILE is JSON
      with name, kind, url, region, bucket and credentials; these name environment variables or a file, or are the values
      themselves (docs/benchmarking.md). --restore estimates how long 100 objects of 100 MB over 16 connections would
      take, from the downloads that an object sweep measured. Endpoints take turns in every slot. --max-cost refuses to
      begin if all slots together are estimated to cost more dollars; it needs the priceList of every endpoint. --output
      writes a file for each run, which a console can import. A --limit on a size that is measured over several numbers
      of connections names one: "GET 256kB@16 p95 150ms". Exit code 1 if a run did not succeed or objects could not be
      removed, 3 if a --limit is exceeded.

  npm run stashlight -- bench compare PATH [PATH ...] [--endpoint NAME --endpoint NAME] [--json]
      Compares two endpoints for every load, by the runs that bench run --output wrote (files, or folders of
      them) and that share slots, in the words of the console. --endpoint chooses two if the files have more. bench run
      prints the same after --slots with two endpoints. Exit code 0 if a difference is shown for a load, 4 if the
      endpoints are not distinguishable, 5 if there are too few undisturbed slots, 2 if the input is wrong.

  npm run stashlight -- disk check --folder FOLDER [--seconds 60] [--queue-depth 64] [--rest SECONDS]
                                   [common options]
      Measures how fast the drive of a folder is, and what limits it: random requests of 4 KiB, four reads per write.
      Run it long enough to see a burst end; it then describes a token bucket, a period or steps. --rest checks once more
      after this time without load, which shows how fast the bucket refills.

  npm run stashlight -- disk sweep --folder FOLDER [--preset quick|full] [common options]
      Reads and writes, sequential and random, at queue depths 1 and 32, of 4 KiB, 64 KiB and 1 MiB (quick, about three
      minutes) or of 4 KiB to 16 MiB (full). A cell ends when its rate is steady over five rounds, or is
      marked as not settled.

      Common options: --file-size 1GiB, --max-written 200GiB stops there and keeps the measurements, --estimate only prints
      the time and bytes it would take, --seed NUMBER, --output FILE writes all figures as JSON with every second,
      --buffered measures through the page cache (with a file of at least twice the memory), --tool fio|stashlight
      instead of fio where it is installed, --beside-vault also measures a drive on which a stash or pod stores data,
      --raw-device /dev/NAME in place of --folder writes to an empty device itself (its first and last MiB have to hold
      zeros, and keep them), --model-bucket 3000/300/54000 limits the drive by a token bucket for a trial.
      The file is removed at the end, even after Ctrl-C. Exit code 1 if the measurement is incomplete.

  npm run stashlight -- disk compare --run GROUP/HOST=FILE --run GROUP/HOST=FILE ...
      Compares providers, or any other groups of hosts, by files that sweeps and checks wrote with --output; several files
      of a host are its runs. It names the faster group of every cell if there are enough hosts, and shows how much hosts
      of a group, runs of a host and seconds of a run differ.

  npm run stashlight -- drives import FILE|FOLDER ... [--json]
      Sums Backblaze's Drive Stats by model: drive days, failures, and the annual failure rate with its exact 95 % interval.
      Give all unpacked CSV files of a quarter at once, or their folder. With STASHLIGHT_URL and STASHLIGHT_TOKEN (a token
      with the right drives:write) the console stores the counts; a quarter that it already has is replaced.

  npm run stashlight -- drives list [--json]
      Shows the drives of the fleet that the console has recorded, least recently seen first, and the failure rate of
      each model with the counts behind it. It needs the right drives:read.

  npm run stashlight -- drives mark SERIAL failed|retired|in-use
      Marks a drive. A failed one counts as a failure of its model, a retired one does not, and in-use withdraws a mark.

Options of all commands
  --config FILE   The vault's file (.stashlight/vault/vault.json), for commands that use a vault; status, verify and
                  lost accept it repeatedly, once for each vault behind the endpoint of the first
  --help          Show this text`;
