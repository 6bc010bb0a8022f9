/*
 * Copyright 2026 the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.rdma.verbs;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.jspecify.annotations.NullMarked;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for who may know whom in this module.
 */
@AnalyzeClasses(packages = "io.rdma.verbs", importOptions = DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule verbsKnowNoSpring = noClasses().should()
		.dependOnClassesThat()
		.resideInAPackage("org.springframework..");

	@ArchTest
	static final ArchRule verbsKnowNoProvider = noClasses().that()
		.resideInAPackage("io.rdma.verbs")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.rdma.verbs.*..");

	@ArchTest
	static final ArchRule softwareDeviceDoesNotKnowTheJniDevice = noClasses().that()
		.resideInAPackage("io.rdma.verbs.soft..")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.rdma.verbs.ibv..");

	@ArchTest
	static final ArchRule jniDeviceDoesNotKnowTheSoftwareDevice = noClasses().that()
		.resideInAPackage("io.rdma.verbs.ibv..")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.rdma.verbs.soft..")
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule memoryIsNotReachedThroughInternals = noClasses().should()
		.dependOnClassesThat(resideInAPackage("sun..").or(resideInAPackage("jdk.internal.."))
			.or(DescribedPredicate.describe("are Unsafe", (JavaClass type) -> "Unsafe".equals(type.getSimpleName()))));

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().matching("io.rdma.(**)").should().beFreeOfCycles();

	@ArchTest
	static void everyPackageIsNullMarked(JavaClasses classes) {
		assertThat(classes).isNotEmpty()
			.extracting(JavaClass::getPackage)
			.allSatisfy((type) -> assertThat(type.isAnnotatedWith(NullMarked.class)).as(type.getName()).isTrue());
	}

}
