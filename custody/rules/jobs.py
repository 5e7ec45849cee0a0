"""Jobs: their departments and ranks, and the words by which a rulebook names several of them."""

from .shapes import Json


def of(words: Json, controls: Json) -> tuple[Json, Json]:
    """Return the department of each job, and the jobs that each word for signers stands for:
    `pit_manager`, `pit_manager+` (that rank or above), a department, a group, `anyone`.
    """
    departments: Json = {}
    needs: Json = {"anyone": []}
    for entry in words["departments"]:
        name, ranks = entry["name"], entry["ranks"]
        needs[name] = [job for rank in ranks for job in rank] + entry.get("beside", [])
        for job in needs[name]:
            departments[job] = name
            needs[job] = [job]
            if name != "administration":
                needs["anyone"].append(job)
        needs.update(_ladder(ranks))
    for group in words["groups"]:
        needs[group["name"]] = [job for word in _named(controls, group) for job in needs[word]]
        needs[group["name"]] += _ranked(words, group, needs[group["name"]])
    return departments, needs


def _ladder(ranks: list[list[str]]) -> Json:
    """What stands for each job of a ladder and those above it; equals rank alike."""
    found: Json = {}
    for level, rank in enumerate(ranks):
        for job in rank:
            found[job + "+"] = [higher for above in ranks[level:] for higher in above]
    return found


def _named(controls: Json, group: Json) -> list[str]:
    """The jobs of a group: the operator's choice, where the rulebook leaves one."""
    name = group.get("control")
    return list(controls[name] if name in controls else group["jobs"])


def _ranked(words: Json, group: Json, jobs: list[str]) -> list[str]:
    """Jobs of an overlay that rank with a job of a group that is chosen, or above it."""
    like = words.get("like", {}) if "control" in group else {}
    return [job for job in sorted(like) if like[job] in jobs and job not in jobs]


def outranks(book: Json, one: str, other: str) -> bool:
    """Say whether a job is of a higher rank than another one in the same department."""
    needs = book["needs"]
    return one in needs.get(other + "+", []) and other not in needs.get(one + "+", [])
