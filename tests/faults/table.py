"""Which tests hold each fault that the record is to survive.

python -m tests.faults.table > docs/faults.md
"""

from __future__ import annotations

NETWORK, KILLING = "tests/faults/test_network.py", "tests/faults/test_killing.py"
RESTORE, DEVICES = "tests/faults/test_restore.py", "tests/faults/test_devices.py"
CHAINS = "tests/faults/test_chains.py"
DISK, WORKERS = "tests/faults/test_disk_full.py", "tests/faults/test_workers.py"
CHAIN, SYNC = "tests/browser/test_handheld_chain.py", "tests/browser/test_handheld_sync.py"
OFFLINE, STORAGE = (
    "tests/browser/test_handheld_offline.py",
    "tests/browser/test_handheld_storage.py",
)
UPDATE, SCAN = "tests/browser/test_handheld_update.py", "tests/browser/test_handheld_scan.py"
BACK, STANDING = "tests/browser/test_handheld_restore.py", "tests/sync/test_standing.py"
SIGNON, PARSE = "tests/browser/test_handheld_signon.py", "tests/rules/test_codes_parse.py"

# Each fault with its tests, as (file, function).
FAULTS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("lost request", ((NETWORK, "test_a_lost_request_is_sent_again"),)),
    (
        "lost response after commit",
        (
            (NETWORK, "test_an_answer_lost_after_the_commit_doubles_nothing"),
            (SYNC, "test_an_answer_lost_after_the_server_stored_doubles_nothing"),
        ),
    ),
    (
        "duplicate and replayed batch",
        (
            (NETWORK, "test_a_push_that_arrives_twice_is_stored_once"),
            (NETWORK, "test_a_push_replayed_after_later_ones_changes_nothing"),
        ),
    ),
    (
        "reordered batches",
        ((NETWORK, "test_pushes_that_arrive_in_another_order_end_in_theirs"),),
    ),
    (
        "half body, both ways",
        (
            (NETWORK, "test_half_a_request_stores_nothing_of_it"),
            (NETWORK, "test_half_an_answer_is_no_answer"),
        ),
    ),
    (
        "one-way partition and half-open connection",
        (
            (NETWORK, "test_a_way_that_takes_requests_and_brings_no_answers_doubles_nothing"),
            (NETWORK, "test_a_way_that_takes_requests_and_loses_them_keeps_the_queue"),
            (
                NETWORK,
                "test_a_half_open_connection_holds_a_device_no_longer_than_its_patience",
            ),
        ),
    ),
    (
        "captive portal: a page with 200, or a redirect",
        (
            (NETWORK, "test_a_captive_portal_is_told_apart_and_takes_nothing"),
            (SYNC, "test_a_captive_portal_is_named_and_takes_nothing"),
        ),
    ),
    (
        "a network that comes and goes, is slow, or answers with errors of its own",
        (
            (NETWORK, "test_a_network_that_comes_and_goes_lets_the_queue_drain"),
            (NETWORK, "test_a_slow_way_is_only_slow"),
            (NETWORK, "test_an_error_of_a_machine_in_between_deletes_nothing"),
        ),
    ),
    (
        "a pull or an enrolment that is cut",
        (
            (NETWORK, "test_whatever_happens_to_a_pull_the_replica_is_whole_in_the_end"),
            (
                NETWORK,
                "test_an_enrolment_whose_answer_is_lost_has_spent_its_code_and_a_new_one_serves",
            ),
        ),
    ),
    (
        "server killed before the commit, and after it",
        (
            (KILLING, "test_a_server_killed_before_the_commit_holds_nothing_of_the_push"),
            (KILLING, "test_a_server_killed_after_the_commit_holds_all_of_the_push"),
            (KILLING, "test_a_server_killed_at_any_moment_loses_nothing_that_it_acknowledged"),
        ),
    ),
    (
        "server killed between tile and checkpoint, and between checkpoint and response",
        ((KILLING, "test_a_server_killed_while_it_signs_goes_on_with_the_same_log"),),
    ),
    (
        "server told to stop during a push",
        ((KILLING, "test_a_server_told_to_stop_answers_the_push_that_it_has_begun"),),
    ),
    (
        "disk full on the server",
        (
            (DISK, "test_a_push_that_does_not_fit_stores_nothing_and_is_sent_again"),
            (DISK, "test_no_personal_data_stands_in_what_the_server_says_of_it"),
        ),
    ),
    (
        "database restored from a backup",
        (
            (RESTORE, "test_500_events_pushed_after_the_backup_all_come_back"),
            (RESTORE, "test_a_restored_log_refuses_to_fork_and_takes_events_all_the_same"),
            (RESTORE, "test_a_device_that_records_nothing_more_gives_back_what_was_lost"),
            (RESTORE, "test_a_run_that_the_restored_server_lost_comes_back_as_it_was"),
            (RESTORE, "test_a_device_that_forgot_what_the_server_lost_goes_on_under_a_new_run"),
            (
                BACK,
                "test_five_hundred_events_pushed_after_a_backup_all_come_back_from_the_handheld",
            ),
            (
                BACK,
                "test_a_new_run_takes_over_every_run_of_which_a_restored_server_lacks_the_beginning",
            ),
        ),
    ),
    (
        "two server workers",
        (
            (WORKERS, "test_two_workers_keep_one_log_and_each_event_once"),
            (WORKERS, "test_the_same_push_at_two_workers_at_once_is_stored_once"),
        ),
    ),
    (
        "worker stopped while events are appended and sent",
        (
            (
                CHAIN,
                "test_a_worker_stopped_while_events_are_appended_and_sent_loses_and_doubles_none",
            ),
        ),
    ),
    (
        "tab killed while it appends",
        (
            (
                CHAIN,
                "test_a_tab_killed_at_any_point_of_an_append_leaves_all_of_the_ceremony_or_nothing",
            ),
            (CHAIN, "test_a_browser_killed_as_soon_as_it_says_recorded_has_the_record"),
            (OFFLINE, "test_a_ceremony_begun_before_a_kill_goes_on_and_records_each_step_once"),
            (OFFLINE, "test_a_form_half_filled_is_still_there_after_a_kill"),
        ),
    ),
    (
        "two tabs",
        (
            (
                CHAIN,
                "test_two_tabs_appending_a_thousand_times_at_once_keep_one_unbroken_chain",
            ),
        ),
    ),
    (
        "update while events queue, or with a half-filled form",
        (
            (
                UPDATE,
                "test_a_new_version_waits_until_the_person_takes_it_and_keeps_what_was_begun",
            ),
            (UPDATE, "test_a_version_of_which_a_file_is_missing_is_not_there"),
        ),
    ),
    (
        "old client against a new server, and the reverse",
        (
            (CHAINS, "test_a_newer_device_and_an_older_server_understand_each_other"),
            (CHAINS, "test_an_older_device_that_leaves_out_what_is_newer_is_understood"),
            (
                STORAGE,
                "test_events_of_the_first_release_are_still_there_after_the_storage_is_extended",
            ),
            (
                SYNC,
                "test_an_older_handheld_goes_on_with_a_newer_server_and_looks_for_its_update",
            ),
        ),
    ),
    (
        "storage evicted, or one that does not open",
        (
            (
                STORAGE,
                "test_a_storage_that_does_not_open_is_said_with_its_second_copy_and_a_lost_one_"
                "comes_back",
            ),
            (
                DEVICES,
                "test_a_device_whose_database_is_lost_starts_anew_and_the_old_run_stays",
            ),
        ),
    ),
    (
        "quota exceeded",
        ((STORAGE, "test_without_room_nothing_can_be_signed_and_with_room_it_can"),),
    ),
    (
        "device cloned, or restored from a copy of itself",
        (
            (DEVICES, "test_a_clone_forks_the_chain_and_everything_of_both_is_kept"),
            (DEVICES, "test_both_clones_go_on_under_runs_of_their_own"),
            (DEVICES, "test_a_device_put_back_to_its_own_older_copy_forks_and_goes_on"),
            (SYNC, "test_a_cloned_device_forks_is_set_apart_and_goes_on_under_a_new_run"),
            (BACK, "test_a_clone_at_a_restored_server_steps_back_to_where_the_histories_part"),
        ),
    ),
    (
        "device reinstalled",
        ((DEVICES, "test_a_reinstalled_device_goes_on_under_a_new_run_with_a_new_key"),),
    ),
    (
        "clock set back or forward, another decade, the hour that comes twice",
        (
            (DEVICES, "test_a_wrong_clock_is_flagged_and_orders_and_blocks_nothing"),
            (DEVICES, "test_an_hour_that_comes_twice_keeps_the_order_of_the_chain"),
            (SYNC, "test_a_clock_two_hours_off_is_learned_from_the_refusal"),
        ),
    ),
    (
        "key revoked while offline",
        (
            (
                DEVICES,
                "test_what_a_device_recorded_before_it_heard_that_it_is_revoked_is_kept_apart",
            ),
            (RESTORE, "test_a_revoked_device_asks_before_it_wipes_what_a_restored_server_lost"),
            (SYNC, "test_a_revoked_device_sends_what_it_has_and_is_then_wiped"),
            (
                BACK,
                "test_a_revoked_handheld_gives_all_that_a_restored_server_lost_before_it_is_wiped",
            ),
        ),
    ),
    (
        "user removed while offline",
        (
            (
                DEVICES,
                "test_what_a_person_signed_who_was_removed_meanwhile_is_kept_and_flagged",
            ),
        ),
    ),
    (
        "roster lease expired",
        (
            (STANDING, "test_a_sign_on_past_its_lease_is_raised"),
            (STORAGE, "test_an_expired_lease_still_records_and_says_that_it_is_flagged"),
        ),
    ),
    (
        "two devices claim one item",
        (
            (
                DEVICES,
                "test_two_devices_that_claim_one_item_offline_are_flagged_once_and_it_is_disputed",
            ),
        ),
    ),
    (
        "three-way conflict",
        ((DEVICES, "test_three_devices_that_claim_one_item_give_three_branches"),),
    ),
    (
        "gap in the chain",
        (
            (CHAINS, "test_a_gap_is_told_and_filled"),
            (SYNC, "test_a_server_that_lacks_what_it_acknowledged_gets_it_again"),
        ),
    ),
    (
        "event, signature or order tampered with",
        ((CHAINS, "test_what_was_tampered_with_on_the_way_is_refused_whole"),),
    ),
    (
        "split view shown to a device",
        (
            (RESTORE, "test_a_log_of_other_events_is_shown_to_nobody_who_saw_the_first"),
            (
                RESTORE,
                "test_a_server_restored_with_its_checkpoint_is_told_by_a_device_that_saw_a_"
                "later_one",
            ),
        ),
    ),
    (
        "purge with unproven events",
        ((CHAINS, "test_nothing_is_forgotten_before_its_receipt_and_30_days"),),
    ),
    (
        "scanner without separators",
        (
            (PARSE, "test_the_same_gs1_string_without_separators_is_refused_as_ambiguous"),
            (PARSE, "test_a_stand_in_for_the_separator_is_read_as_one"),
        ),
    ),
    (
        "double scan",
        (
            (
                SCAN,
                "test_carriage_return_and_line_feed_are_one_scan_and_so_is_the_same_code_at_once",
            ),
        ),
    ),
    (
        "device away for 30 days with 5,000 events",
        (
            (CHAINS, "test_a_device_away_for_30_days_drains_5000_events_in_their_order"),
            (OFFLINE, "test_what_is_recorded_offline_outlives_a_restart_and_drains_by_itself"),
        ),
    ),
)

HEAD = """# Faults

What the record survives, and the tests that hold it to that. Those under `tests/faults` have a real
server process, devices that follow the protocol honestly, and a proxy that spoils the network;
those under `tests/browser` a real browser. `make test` also plays fifty runs that mix these faults
by a seed over many devices, and `make soak` a thousand (`bench/results/soak.json`).

| fault | tests |
|---|---|
"""


def markdown() -> str:
    """Return the table as a page."""
    rows = [
        f"| {fault} | {'<br>'.join(f'`{file}` {sentence(name)}' for file, name in tests)} |\n"
        for fault, tests in FAULTS
    ]
    return HEAD + "".join(rows)


def sentence(name: str) -> str:
    return name.removeprefix("test_").replace("_", " ")


if __name__ == "__main__":
    print(markdown(), end="")
