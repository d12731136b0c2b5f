"""kill_many.py on PostgreSQL: LOCBO_TEST_DB is set by tests/with-postgres."""
import os
import runpy

runpy.run_path(os.path.join(os.path.dirname(os.path.abspath(__file__)), "kill_many.py"), run_name="__main__")
