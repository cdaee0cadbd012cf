"""The deployment that docs/remote.md shows: its files are checked by what reads them, and what its container does is done here."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import venv
from pathlib import Path
from typing import Any

import pytest
from remote_page import AGENT, PAGE, PROGRAMS, ROOT

pytestmark = pytest.mark.environment

PARSER = "dockerfile-parse==2.0.1"
PARSE = "import json, sys, dockerfile_parse as d; print(json.dumps(d.DockerfileParser(sys.argv[1]).structure))"


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def run(*command: object, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=300, check=False, **more)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def verified(unit: str, folder: Path) -> str:
    """What systemd has to say about a unit."""
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("there is no systemd-analyze: apt-get install systemd")
    file = folder / "agent.service"
    file.write_text(unit.replace("/srv/agent/.venv/bin/python", sys.executable))
    done = run(program, "verify", "--man=no", file)
    return f"{done.stdout}{done.stderr}" if done.returncode == 0 else f"{done.returncode}: {done.stderr}"


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    assert verified(block("ini"), tmp_path) == ""


def test_systemd_would_have_told_of_a_mistake(tmp_path: Path) -> None:
    assert "TimeoutStopSecs" in verified(block("ini").replace("TimeoutStopSec", "TimeoutStopSecs"), tmp_path)


def checked(server: str, folder: Path) -> str:
    """What nginx has to say about a server."""
    program = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    if program is None or shutil.which("openssl") is None:
        pytest.skip("there is no nginx or no openssl: apt-get install nginx-light openssl")
    pair = (folder / "agent.pem", folder / "agent.key")
    run(
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-subj",
        "/CN=x",
        "-out",
        pair[0],
        "-keyout",
        pair[1],
    )
    server = server.replace("/etc/ssl/", f"{folder}/").replace("listen 443", f"listen 127.0.0.1:{free_port()}")
    numbers = re.search(r"nginx/(\d+)\.(\d+)\.(\d+)", run(program, "-v").stderr)
    assert numbers is not None
    if tuple(map(int, numbers.groups())) < (1, 25, 1):  # what the page says of them
        server = server.replace(" ssl;", " ssl http2;", 1).replace("http2 on;", "")
    places = " ".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = folder / "nginx.conf"
    file.write_text(
        f"pid {folder}/pid; error_log stderr;\nevents {{}}\nhttp {{\naccess_log off; {places}\n{server}}}\n"
    )
    done = run(program, "-t", "-q", "-e", "stderr", "-c", file)
    return done.stderr or str(done.returncode or "")


def test_nginx_takes_the_server(tmp_path: Path) -> None:
    assert checked(block("nginx"), tmp_path) == ""


def test_nginx_would_have_told_of_a_mistake(tmp_path: Path) -> None:
    assert "connection_upgrade" in checked(re.sub("^map.*\n", "", block("nginx")), tmp_path)


# The container


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment for the container, and beside it a folder with the wheels of the package and of networking."""
    folder = tmp_path_factory.mktemp("container")
    venv.create(folder / "env", with_pip=True)
    wheel = run(
        *(sys.executable, "-m", "pip", "--quiet", "wheel", "--no-deps", "--no-build-isolation"),
        *("--wheel-dir", folder / "wheels", ROOT / "wheels" / "package", ROOT / "wheels" / "remote"),
    )
    assert wheel.returncode == 0, wheel.stderr
    return folder


@pytest.fixture(scope="module")
def steps(scratch: Path) -> list[tuple[str, str]]:
    """The instructions of the Dockerfile with their values, as a parser reads them."""
    own = scratch / "parser"
    if run(sys.executable, "-m", "pip", "--quiet", "install", "--no-deps", "--target", own, PARSER).returncode:
        pytest.skip(f"{PARSER} cannot be installed: it reads the Dockerfile")
    (scratch / "Dockerfile").write_text(block("dockerfile"))
    parsed = run(
        sys.executable, "-c", PARSE, scratch / "Dockerfile", env={**os.environ, "PYTHONPATH": str(own)}, cwd=scratch
    )
    assert parsed.returncode == 0, parsed.stderr
    return [(step["instruction"], step["value"]) for step in json.loads(parsed.stdout)]


@pytest.fixture
def container(scratch: Path, tmp_path: Path) -> tuple[Path, dict[str, str], int]:
    """Where its files are, its environment, and the port that stands for 8765."""
    places = {"PATH": f"{scratch / 'env' / 'bin'}:/usr/bin:/bin", "HOME": str(tmp_path)}
    registries = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    port = free_port()
    programs = {**PROGRAMS, "agent.py": AGENT}
    for name in ("server.py", "agent.py"):
        text = programs[name].replace("import generated as acp", "import acp_generated as acp")
        (tmp_path / name).write_text(text.replace("127.0.0.1:8765", f"0.0.0.0:{port}"))
    (tmp_path / "dist").symlink_to(scratch / "wheels")
    return tmp_path, {**registries, **places}, port


def test_what_the_container_does_leads_to_an_agent_that_is_well(
    steps: list[tuple[str, str]], container: tuple[Path, dict[str, str], int]
) -> None:
    root, env, port = container
    where, health, command = root, "", list[str]()
    for instruction, value in steps:
        match instruction:
            case "RUN":
                done = run("sh", "-c", value.replace(" /dist", f" {root}/dist"), env=env, cwd=where)
                assert done.returncode == 0, done.stderr
            case "COPY":
                *names, place = value.split()
                (root / place.strip("/")).mkdir(exist_ok=True)
                for name in names:
                    if (root / name).is_dir():  # it is there: the root of the container is the folder of the Dockerfile
                        continue
                    shutil.copy(root / name, root / place.strip("/"))
            case "WORKDIR":
                where = root / value.strip("/")
            case "HEALTHCHECK":
                health = value.removeprefix("CMD ").replace("8765", str(port))
            case "CMD":
                command = json.loads(value)
            case _:
                assert instruction in ("FROM", "USER")
    with subprocess.Popen(
        [shutil.which(command[0], path=env["PATH"]) or "", *command[1:]], cwd=where, env=env
    ) as serving:
        try:
            deadline = time.monotonic() + 60
            while run("sh", "-c", health, env=env).returncode != 0:
                assert serving.poll() is None
                assert time.monotonic() < deadline
            serving.terminate()
            assert serving.wait(60) == 0
        finally:
            serving.kill()
